import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { LinkAnswer, ProviderAnswer, SignInOptionsAnswer } from '#contract/logins/sign-in.ts';
import { useGet } from '../api/account.ts';
import { request } from '../api/api.ts';
import { Button } from '../ui/button.tsx';
import { Card, Inline, Soft, Stack, wordsClass } from '../ui/layout.tsx';
import { Logo } from '../widgets/head/head.tsx';
import { usePageTitle } from '../widgets/keys/sections.ts';
import styles from './door.module.css';

type DoorProps = {
  readonly title: string;
  readonly lead?: ReactNode;
  /** Where to go on: a page, and what the link to it says. */
  readonly link?: readonly [to: string, label: string];
  readonly children?: ReactNode;
};

/** A narrow page with one form: what people see before signing in. */
export function Door({ title, lead, link, children }: DoorProps) {
  usePageTitle(title);
  return (
    <main className={styles.door}>
      <Inline as="p" className={wordsClass('bold')} style={{ justifyContent: 'center' }}>
        <Logo /> Tributary
      </Inline>
      <Card isPadded>
        <Stack>
          <h1>{title}</h1>
          {lead && <Soft>{lead}</Soft>}
          {children}
          {link && (
            <Link to={link[0]} className={wordsClass('link')}>
              {link[1]}
            </Link>
          )}
        </Stack>
      </Card>
    </main>
  );
}

/** The sign-in options of this server. */
export function useOptions() {
  return useGet<SignInOptionsAnswer>('/api/sign-in-options');
}

const PROVIDER_ERRORS: Readonly<Record<string, string>> = {
  signup_disabled: 'No login here has your address. Ask for an invitation first.',
  account_not_linked:
    'The provider has not verified your address, or you have not opened the link sent to it. Sign in with your password.',
  access_denied: 'The sign-in was cancelled.',
  other_address: 'The provider knows you by another address than the one that was invited.',
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
    <Stack gap={8} style={{ paddingBottom: 16, borderBottom: '1px solid var(--line)' }}>
      <Button onClick={() => void begin().catch(({ message }: Error) => setFailure(message))}>
        Continue with {data.oidc}
      </Button>
      {(failure ?? told) && <p role="alert">{failure ?? told}</p>}
    </Stack>
  );
}

/** The token from the URL, or the one stored under the name while the user signs in. */
export function takeKeptToken(name: string): string {
  const token = takeToken();
  if (token !== '') sessionStorage.setItem(name, token);
  return token === '' ? (sessionStorage.getItem(name) ?? '') : token;
}

/** Forgets a token that was used. */
export function forgetToken(name: string): void {
  sessionStorage.removeItem(name);
}

/**
 * The token behind `#`: it never reaches a server's log, and leaves the URL at once. The tab's history entry keeps it,
 * so that a reload still has it.
 */
export function takeToken(): string {
  const token = location.hash.slice(1);
  if (token !== '') history.replaceState({ token }, '', location.pathname);
  return (history.state as { readonly token?: string } | null)?.token ?? '';
}

/** Whether a link works, as its page asks before it shows the form. */
export function useLink(of: 'start' | 'reset', token: string) {
  return useQuery({
    queryKey: ['link', of, token],
    queryFn: ({ signal }) => request<LinkAnswer>('/api/links', { body: { of, token }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
