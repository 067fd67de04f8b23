import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { InvitationAnswer, JoinedAnswer } from '#contract/logins/invitations.ts';
import { useParams } from '../address/address.ts';
import { ApiError, request } from '../api/api.ts';
import { Form, FormFault, type FormValues } from '../ui/form.tsx';
import { wordsClass } from '../ui/layout.tsx';
import { Bones } from '../ui/loaded.tsx';
import { NEW_PASSWORD, YOUR_NAME } from '../widgets/account/login.ts';
import styles from './door.module.css';
import { Door, forgetToken, ProviderButton, takeKeptToken } from './door.tsx';

const KEPT = 'invitation';

/** Where the provider sends new users back to. */
const BACK = '/invite?accept=1';

/** The target of an invitation: sign-up for new users, one click for others. */
export function InvitePage() {
  const [token] = useState(() => takeKeptToken(KEPT));
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => request<InvitationAnswer>('/api/invitations/find', { body: { token } }),
  });
  if (invitation.error) {
    const isOver = invitation.error instanceof ApiError && invitation.error.status === 400;
    return (
      <Door
        title="This invitation does not work"
        lead={isOver ? 'It was used or has expired. Ask for a new one.' : invitation.error.message}
      />
    );
  }
  if (invitation.data === undefined) return <Bones height={320} />;
  return <JoinPage invitation={invitation.data} token={token} />;
}

type JoinPageProps = { readonly invitation: InvitationAnswer; readonly token: string };

function JoinPage({ invitation, token }: JoinPageProps) {
  const { email, role, domain, has_login: hasLogin } = invitation;
  const [params] = useParams();
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const { mutateAsync, mutate, error } = useMutation({
    mutationFn: (values: FormValues) =>
      request<JoinedAnswer>('/api/invitations/accept', { body: { ...values, token } }),
    onSuccess: async (joined) => {
      forgetToken(KEPT);
      await client.invalidateQueries({ queryKey: ['me'] });
      navigate(`/${joined.domain}`, { replace: true });
    },
  });
  const isBack = params.has('accept');
  useEffect(() => {
    if (isBack && hasLogin) mutate({});
  }, [isBack, hasLogin, mutate]);
  const failed = params.get('error');
  const isRefused = error instanceof ApiError && error.isSignedOut;
  const isOther = failed === 'signup_disabled' || (isBack && (!hasLogin || isRefused));
  return (
    <Door title={`Join ${domain}`} lead={`${email} is invited as ${role}.`}>
      <ProviderButton next={BACK} error={isOther ? 'other_address' : failed} />
      <Form
        action="Join"
        onSubmit={async (values) => {
          await mutateAsync(values);
        }}
        fields={hasLogin ? [] : [{ ...YOUR_NAME, autoFocus: true }, NEW_PASSWORD]}
      >
        <FormFault of="token">{(fault) => `This invitation ${fault}.`}</FormFault>
      </Form>
      {hasLogin && (
        <p className={styles.aside}>
          You already have a login.{' '}
          <Link to="/sign-in?next=/invite" className={wordsClass('link')}>
            Sign in
          </Link>{' '}
          as {email} first.
        </p>
      )}
    </Door>
  );
}
