import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { ApiError, request } from '../api.ts';
import { Field } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Bones } from '../ui/note.tsx';
import styles from './door.module.css';
import { Door } from './door.tsx';
import { takeToken } from './start.tsx';

type Invitation = {
  readonly email: string;
  readonly role: string;
  readonly domain: string;
  readonly has_login: boolean;
};

const KEPT = 'invitation';

/** Where an invitation leads: a login for who has none, a click for who has one. */
export function InvitePage() {
  const [token] = useState(takeKeptToken);
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => request<Invitation>('/api/invitations/find', { body: { token } }),
  });
  const accept = async (values: Readonly<Record<string, string>>) => {
    const body = { ...values, token };
    const { domain } = await request<{ domain: string }>('/api/invitations/accept', { body });
    sessionStorage.removeItem(KEPT);
    await client.invalidateQueries({ queryKey: ['me'] });
    navigate(`/${domain}`, { replace: true });
  };
  if (invitation.error) {
    const isOver = invitation.error instanceof ApiError && invitation.error.status === 400;
    return (
      <Door
        title="This invitation does not work"
        lead={isOver ? 'It was used or has expired. Ask for a new one.' : invitation.error.message}
      >
        {null}
      </Door>
    );
  }
  if (invitation.data === undefined) return <Bones height={320} />;
  const { email, role, domain, has_login: hasLogin } = invitation.data;
  return (
    <Door title={`Join ${domain}`} lead={`${email} is invited as ${role}.`}>
      <Form action="Join" onSubmit={accept}>
        {(faultOf) =>
          !hasLogin && (
            <>
              <Field
                {...{ label: 'Your name', name: 'name', fault: faultOf('name') }}
                autoComplete="name"
                required
                autoFocus
              />
              <Field
                {...{ label: 'Password', name: 'password', type: 'password', minLength: 10 }}
                hint="At least ten characters."
                fault={faultOf('password')}
                autoComplete="new-password"
                required
              />
            </>
          )
        }
      </Form>
      {hasLogin && (
        <p className={styles.aside}>
          You already have a login.{' '}
          <Link to="/sign-in?next=/invite" className={styles.link}>
            Sign in
          </Link>{' '}
          as {email} first.
        </p>
      )}
    </Door>
  );
}

/** The token of the address, or the one kept while its reader signs in. */
function takeKeptToken(): string {
  const token = takeToken();
  if (token !== '') sessionStorage.setItem(KEPT, token);
  return token === '' ? (sessionStorage.getItem(KEPT) ?? '') : token;
}
