import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Redirect } from 'wouter';
import { useMe } from '../../api/account.ts';
import { ApiError } from '../../api/api.ts';
import { keepAnswers, restoreAnswers } from '../../api/kept-answers.ts';
import { ErrorNote } from '../../ui/loaded.tsx';
import { Shell } from '../head/head.tsx';

/** Shows its content to signed-in users; others sign in first and return to the same URL. */
export function SignedIn({ children }: { readonly children: ReactNode }) {
  const me = useMe();
  // A session may end while a page is open. Right after signing in, the last error is outdated.
  if (me.error instanceof ApiError && me.error.isSignedOut && !me.isFetching) {
    const { pathname, search, hash } = location;
    const next = pathname === '/' ? '' : `?next=${encodeURIComponent(pathname + search + hash)}`;
    return <Redirect to={`/sign-in${next}`} replace />;
  }
  if (me.data !== undefined) {
    const { id } = me.data.user;
    return (
      <Remembered key={id} userId={id}>
        {children}
      </Remembered>
    );
  }
  if (me.error === null || me.isFetching) return <Shell />;
  return <ErrorNote error={me.error} onRetry={() => void me.refetch()} />;
}

type RememberedProps = { readonly userId: string; readonly children: ReactNode };

/** Starts with the last visit's figures. */
function Remembered({ userId, children }: RememberedProps) {
  const client = useQueryClient();
  useState(() => restoreAnswers(client, userId)); // Before any of them is requested.
  useEffect(() => keepAnswers(client, userId), [client, userId]);
  return children;
}
