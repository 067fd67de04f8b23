import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Redirect } from 'wouter';
import { useMe } from '../account.ts';
import { ApiError } from '../api.ts';
import { keepAnswers, restoreAnswers } from '../kept-answers.ts';
import { Bones, ErrorNote } from '../ui/note.tsx';

/** Shows its content to who is signed in; others sign in first and come back to the same address. */
export function SignedIn({ children }: { readonly children: ReactNode }) {
  const me = useMe();
  // A session may end while a page of it is open. Just signed in again, the answer before is an old one.
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
  if (me.error === null || me.isFetching) return <Bones height={56} />;
  return <ErrorNote error={me.error} onRetry={() => void me.refetch()} />;
}

type RememberedProps = { readonly userId: string; readonly children: ReactNode };

/** Begins with the figures of the person's last visit. */
function Remembered({ userId, children }: RememberedProps) {
  const client = useQueryClient();
  useState(() => restoreAnswers(client, userId)); // Before the first of them is asked for.
  useEffect(() => keepAnswers(client, userId), [client, userId]);
  return children;
}
