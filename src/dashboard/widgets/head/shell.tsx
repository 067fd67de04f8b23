import './shell.css';
import { type Query, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { ApiError } from '../../api/api.ts';
import { Notice } from '../../ui/layout.tsx';
import styles from './head.module.css';

/** The page while its content loads; `index.html` has the same, to be seen before the script runs. */
export function Shell() {
  return (
    <div className="shell" aria-busy="true">
      <Logo />
    </div>
  );
}

/** Two streams that merge. */
export function Logo() {
  return (
    <svg width="22" height="22" viewBox="0 0 22 22" fill="none" display="block" aria-hidden="true">
      <g strokeLinecap="round" strokeWidth="2.4">
        <path d="M4 3c0 7 7 6 7 16" stroke="var(--blue-line)" />
        <path d="M18 3c0 7-7 6-7 16" stroke="var(--green-bar)" />
      </g>
    </svg>
  );
}

const TRY_AGAIN_MS = 3_000;

/** Says when the server is unreachable, and retries until it is back. */
export function LostLine() {
  const client = useQueryClient();
  const cache = client.getQueryCache();
  const isLost = useSyncExternalStore(
    (onChange) => cache.subscribe(onChange),
    () => cache.findAll({ type: 'active' }).some(isOutOfReach),
  );
  useEffect(() => {
    if (!isLost) return;
    const again = () => client.refetchQueries({ type: 'active', predicate: isOutOfReach });
    const timer = setInterval(() => void again(), TRY_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isLost, client]);
  if (!isLost) return null;
  return (
    <Notice className={styles.lost}>
      The server cannot be reached. The data shown may be outdated, or of an earlier choice; this
      page refreshes when the connection is back.
    </Notice>
  );
}

/** Failed or paused for lack of a connection. */
function isOutOfReach({ state }: Query): boolean {
  const { error, fetchFailureReason: reason, fetchStatus } = state;
  const failed = fetchStatus === 'idle' ? error : reason;
  return fetchStatus === 'paused' || (failed instanceof ApiError && failed.status === 0);
}
