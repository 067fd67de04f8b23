import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { request } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import styles from './door.module.css';
import { Door } from './door.tsx';

type SignedIn = { readonly twoFactorRedirect?: boolean };

/** Where people sign in: password, then a code if they have set one up; then back to where they were. */
export function SignInPage() {
  const [params] = useSearchParams();
  const [, navigate] = useLocation();
  const [needsCode, setNeedsCode] = useState(false);
  const client = useQueryClient();
  const enter = async () => {
    await client.invalidateQueries({ queryKey: ['me'] });
    navigate(toOwnAddress(params.get('next')), { replace: true });
  };
  const signIn = async ({ email, password }: Readonly<Record<string, string>>) => {
    const answer = await request<SignedIn>('/api/auth/sign-in/email', {
      body: { email, password },
    });
    if (answer.twoFactorRedirect === true) setNeedsCode(true);
    else await enter();
  };
  if (needsCode) return <CodePage onEnter={enter} />;
  return (
    <Door title="Sign in">
      <Provider next={toOwnAddress(params.get('next'))} error={params.get('error')} />
      <Form action="Sign in" onSubmit={signIn}>
        {(faultOf) => (
          <>
            <Field
              {...{ label: 'E-mail', name: 'email', type: 'email', fault: faultOf('email') }}
              autoComplete="username"
              required
              autoFocus
            />
            <Field
              {...{ label: 'Password', name: 'password', type: 'password' }}
              fault={faultOf('password')}
              autoComplete="current-password"
              required
            />
          </>
        )}
      </Form>
      <Forgotten />
    </Door>
  );
}

type Options = { readonly mail: boolean; readonly oidc: string | null };

/** What this server offers to sign in by. */
function useOptions() {
  return useQuery({
    queryKey: ['sign-in-options'],
    queryFn: ({ signal }) => request<Options>('/api/sign-in-options', { signal }),
  });
}

const PROVIDER_ERRORS: Readonly<Record<string, string>> = {
  signup_disabled: 'No login here has your address. Ask for an invitation first.',
  account_not_linked: 'The provider has not verified your address. Sign in with your password.',
  access_denied: 'The sign-in was cancelled.',
};

/** The way to the identity provider, where there is one, and what went wrong there. */
function Provider({ next, error }: { readonly next: string; readonly error: string | null }) {
  const { data } = useOptions();
  const [failure, setFailure] = useState<string>();
  if (!data?.oidc) return null;
  const begin = async () => {
    const { url } = await request<{ url: string }>('/api/sign-in/oidc', { body: { next } });
    location.assign(url);
  };
  const told = error && (PROVIDER_ERRORS[error] ?? 'Signing in failed. Try again.');
  return (
    <div className={styles.provider}>
      <Button onClick={() => void begin().catch(({ message }: Error) => setFailure(message))}>
        Continue with {data.oidc}
      </Button>
      {(failure ?? told) && <p role="alert">{failure ?? told}</p>}
    </div>
  );
}

/** A link by mail where mails are sent; else the command that makes one. */
function Forgotten() {
  const { data } = useOptions();
  if (data?.mail === true) {
    return (
      <Link to="/forgotten" className={styles.link}>
        Forgot password?
      </Link>
    );
  }
  return (
    <p className={styles.aside}>
      Forgot your password? Run this on the server. It prints a link to set a new one.
      <code>tributary admin link --email you@example.com</code>
    </p>
  );
}

function CodePage({ onEnter }: { readonly onEnter: () => Promise<void> }) {
  const [isBackup, setBackup] = useState(false);
  const verify = async ({ code = '' }: Readonly<Record<string, string>>) => {
    const path = isBackup ? 'verify-backup-code' : 'verify-totp';
    await request(`/api/auth/two-factor/${path}`, { body: { code: code.replace(/\s/g, '') } });
    await onEnter();
  };
  const other = isBackup ? 'Use a code from the app' : 'Use a recovery code';
  return (
    <Door title="One more step">
      <Form
        key={String(isBackup)}
        action="Continue"
        onSubmit={verify}
        beside={
          <Button look="plain" size="small" onClick={() => setBackup(!isBackup)}>
            {other}
          </Button>
        }
      >
        {() => (
          <Field
            label={isBackup ? 'Recovery code' : 'Code from your authenticator app'}
            name="code"
            autoComplete="one-time-code"
            inputMode={isBackup ? 'text' : 'numeric'}
            required
            autoFocus
          />
        )}
      </Form>
    </Door>
  );
}

/** Only addresses of this dashboard are gone back to. */
function toOwnAddress(next: string | null): string {
  return next !== null && /^\/(?![/\\])/.test(next) ? next : '/';
}
