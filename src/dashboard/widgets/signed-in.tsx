import type { ReactNode } from 'react';
import { Redirect } from 'wouter';
import { useMe } from '../account.ts';
import { ApiError } from '../api.ts';
import { Bones, ErrorNote } from '../ui/note.tsx';

/** Shows its content to who is signed in; others sign in first and come back to the same address. */
export function SignedIn({ children }: { readonly children: ReactNode }) {
  const me = useMe();
  if (me.data !== undefined) return children;
  if (me.error === null) return <Bones height={56} />;
  if (me.error instanceof ApiError && me.error.isSignedOut) {
    const { pathname, search, hash } = location;
    const next = pathname === '/' ? '' : `?next=${encodeURIComponent(pathname + search + hash)}`;
    return <Redirect to={`/sign-in${next}`} replace />;
  }
  return <ErrorNote error={me.error} onRetry={() => void me.refetch()} />;
}
