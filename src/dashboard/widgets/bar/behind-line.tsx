import { useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { formatDuration } from '../../format/numbers.ts';
import styles from './bar.module.css';

/** Says how far the counts lag, if an answer on the page reports it. */
export function BehindLine() {
  const cache = useQueryClient().getQueryCache();
  const seconds = useSyncExternalStore(
    (onChange) => cache.subscribe(onChange),
    () =>
      Math.max(0, ...cache.findAll({ type: 'active' }).map(({ state }) => behindOf(state.data))),
  );
  if (seconds === 0) return null;
  return (
    <p className={styles.behind} role="status">
      The newest events are not counted yet: they have waited for {formatDuration(seconds)}. They
      are safe, and this page will catch up automatically.
    </p>
  );
}

function behindOf(answer: unknown): number {
  const { meta } = (answer ?? {}) as { meta?: { behind_seconds?: number } };
  return meta?.behind_seconds ?? 0;
}
