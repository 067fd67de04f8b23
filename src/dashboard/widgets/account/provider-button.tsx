import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ProviderAnswer, SignInOptionsAnswer } from '#contract/logins/sign-in.ts';
import { request } from '../../api/api.ts';
import { Button } from '../../ui/button.tsx';
import styles from './provider-button.module.css';

/** The sign-in options of this server. */
export function useOptions() {
  return useQuery({
    queryKey: ['sign-in-options'],
    queryFn: ({ signal }) => request<SignInOptionsAnswer>('/api/sign-in-options', { signal }),
  });
}

const PROVIDER_ERRORS: Readonly<Record<string, string>> = {
  signup_disabled: 'No login here has your address. Ask for an invitation first.',
  account_not_linked:
    'The provider has not verified your address, or you have opened no link sent to it. Sign in with your password.',
  access_denied: 'The sign-in was cancelled.',
  other_address: 'The provider knows you by another address than the invited one.',
  foreign_issuer: 'The identity provider is not the expected one. The server log has details.',
};

type ProviderButtonProps = {
  /** The page to return to. */
  readonly next: string;
  /** The provider's error code. */
  readonly error: string | null;
};

/** The identity provider's sign-in button, if there is one, and its last error. */
export function ProviderButton({ next, error }: ProviderButtonProps) {
  const { data } = useOptions();
  const [failure, setFailure] = useState<string>();
  if (!data?.oidc) return null;
  const begin = async () => {
    const { url } = await request<ProviderAnswer>('/api/sign-in/oidc', { body: { next } });
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
