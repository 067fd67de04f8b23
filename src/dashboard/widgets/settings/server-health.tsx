import { useQuery } from '@tanstack/react-query';
import type { ExaminationAnswer } from '#contract/sites/health.ts';
import { useMe } from '../../api/account.ts';
import { request } from '../../api/api.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Bones, ErrorNote } from '../../ui/note.tsx';
import { CheckLine } from './check-line.tsx';
import styles from './settings.module.css';

/** For the server's owner: what `tributary doctor` finds, and how to fix it. */
export function ServerHealth() {
  const { data: me } = useMe();
  const isOwner = me?.user.is_owner === true;
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['doctor'],
    queryFn: ({ signal }) => request<ExaminationAnswer>('/api/v1/doctor', { signal }),
    enabled: isOwner,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!isOwner) return null;
  return (
    <Card isPadded className={styles.card}>
      <h2>Server</h2>
      {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Bones height={160} />}
      <div className={styles.checkList}>
        {data?.findings.map(({ check, ok, found, advice }) => (
          <CheckLine key={check} isGood={ok}>
            <b>{check}</b>: {found}
            {advice && <span className={styles.soft}> {advice}</span>}
          </CheckLine>
        ))}
      </div>
      {data !== undefined && (
        <div>
          <Button disabled={isFetching} onClick={() => void refetch()}>
            Check again
          </Button>
        </div>
      )}
    </Card>
  );
}
