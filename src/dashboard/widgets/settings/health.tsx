import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { ExaminationAnswer, HealthAnswer } from '#contract/sites/health.ts';
import { useMe, useSite } from '../../api/account.ts';
import { request } from '../../api/api.ts';
import { useOfSite } from '../../api/site-settings.ts';
import { formatInstant } from '../../format/dates.ts';
import { formatWhole } from '../../format/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/card.tsx';
import { Unloaded } from '../../ui/note.tsx';
import { toMeaning } from '../panels/bots/left-out.ts';
import styles from './settings.module.css';

const LOOK_AGAIN_MS = 10_000;

/** Whether the site is being measured, and any problems. */
export function Health() {
  const { domain, role, timezone } = useSite();
  const health = useOfSite<HealthAnswer>('/health', { refetchInterval: LOOK_AGAIN_MS });
  if (health.data === undefined) return <Unloaded {...health} height={240} />;
  const { checks, dropped, pageview_at: at } = health.data;
  return (
    <>
      <Section title="Health">
        <div className={styles.checkList}>
          {checks.map(({ name, ok, message }) => (
            <CheckLine key={name} isGood={ok}>
              {message}
              {name === 'hosts' && !ok && role !== 'viewer' && (
                <>
                  {' '}
                  <Link to={`/${domain}/settings/general`}>Allowed hosts</Link>
                </>
              )}
            </CheckLine>
          ))}
        </div>
        <p className={styles.soft}>
          {at === null
            ? 'No pageview in the last 30 days.'
            : `Last pageview ${formatInstant(at, timezone)}.`}
        </p>
      </Section>
      <Section title="Dropped in the last 24 hours">
        {dropped.length === 0 ? (
          <p className={styles.soft}>No events were dropped.</p>
        ) : (
          <table className={styles.table}>
            <tbody>
              {dropped.map(({ reason, count }) => (
                <tr key={reason}>
                  <td>{toMeaning(reason)}</td>
                  <td>{formatWhole(count)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Section>
      <ServerHealth />
    </>
  );
}

/** For the server's owner: what `tributary doctor` finds, and how to fix it. */
function ServerHealth() {
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
    <Section title="Server">
      {data === undefined && <Unloaded {...{ error, refetch }} height={160} />}
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
    </Section>
  );
}

/** A line with a leading tick or cross. */
function CheckLine(props: { readonly isGood: boolean; readonly children: ReactNode }) {
  const { isGood, children } = props;
  return (
    <p className={styles.check}>
      <span
        className={isGood ? styles.good : styles.bad}
        role="img"
        aria-label={isGood ? 'Good' : 'Bad'}
      >
        {isGood ? '✓' : '✕'}
      </span>
      <span>{children}</span>
    </p>
  );
}
