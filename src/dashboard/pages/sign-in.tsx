import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, Redirect } from 'wouter';
import { toOwnPage } from '#contract/logins/own-page.ts';
import { useParams } from '../address/address.ts';
import { useMe } from '../api/account.ts';
import { Button } from '../ui/button.tsx';
import { Form, type FormValues } from '../ui/form.tsx';
import { wordsClass } from '../ui/layout.tsx';
import { EMAIL, PASSWORD, requestLogin } from '../widgets/account/login.ts';
import styles from './door.module.css';
import { Door, ProviderButton, useOptions } from './door.tsx';

type SignedIn = { readonly twoFactorRedirect?: boolean };

/** Sign-in: password, then a code if two-step sign-in is on; then back to the previous page. */
export function SignInPage() {
  const [params] = useParams();
  const [needsCode, setNeedsCode] = useState(false);
  const client = useQueryClient();
  const { data: options } = useOptions();
  const me = useMe();
  const next = toOwnPage(params.get('next') ?? '/', location.origin);
  const enter = () => client.invalidateQueries({ queryKey: ['me'] });
  const signIn = async ({ email, password }: FormValues) => {
    const answer = await requestLogin<SignedIn>('sign-in/email', { email, password });
    if (answer.twoFactorRedirect === true) setNeedsCode(true);
    else await enter();
  };
  if (me.isSuccess && me.isFetchedAfterMount) return <Redirect to={next} replace />;
  if (needsCode) return <CodePage onEnter={enter} />;
  if (options?.has_owner === false) return <NoOwnerPage />;
  return (
    <Door title="Sign in">
      <ProviderButton next={next} error={params.get('error')} />
      <Form
        {...{ action: 'Sign in', onSubmit: signIn }}
        fields={[{ ...EMAIL, autoFocus: true }, PASSWORD]}
      />
      <Forgotten />
    </Door>
  );
}

/** Nobody can sign in before the owner has followed the printed link. */
function NoOwnerPage() {
  return (
    <Door
      title="This server has no owner yet"
      lead="When it started, it printed a link. Open that link to create the first login."
    >
      <p className={styles.aside}>
        The link works for an hour. Run this on the server for a new one.
        <code>npm run tributary -- admin link</code>
      </p>
    </Door>
  );
}

/** A reset link by mail if mail is set up; else the command for one. */
function Forgotten() {
  const { data } = useOptions();
  if (data?.mail === true) {
    return (
      <Link to="/forgotten" className={wordsClass('link')}>
        Forgot password?
      </Link>
    );
  }
  return (
    <p className={styles.aside}>
      Forgot your password? Run this on the server. It prints a link to set a new one.
      <code>npm run tributary -- admin link --email you@example.com</code>
    </p>
  );
}

function CodePage({ onEnter }: { readonly onEnter: () => Promise<void> }) {
  const [isBackup, setBackup] = useState(false);
  const verify = async ({ code = '' }: FormValues) => {
    const path = isBackup ? 'verify-backup-code' : 'verify-totp';
    await requestLogin(`two-factor/${path}`, { code: code.replace(/\s/g, '') });
    await onEnter();
  };
  const other = isBackup ? 'Use a code from the app' : 'Use a recovery code';
  return (
    <Door title="One more step">
      <Form
        key={String(isBackup)}
        action="Continue"
        onSubmit={verify}
        fields={[
          {
            ...{ name: 'code', autoComplete: 'one-time-code', required: true, autoFocus: true },
            label: isBackup ? 'Recovery code' : 'Code from your authenticator app',
            inputMode: isBackup ? 'text' : 'numeric',
          },
        ]}
        beside={
          <Button look="plain" size="small" onClick={() => setBackup(!isBackup)}>
            {other}
          </Button>
        }
      />
    </Door>
  );
}
