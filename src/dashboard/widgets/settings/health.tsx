import { Link } from 'wouter';
import type { HealthAnswer } from '#contract/sites/health.ts';
import { useSite } from '../../api/account.ts';
import { useOfSite } from '../../api/site-settings.ts';
import { formatInstant } from '../../format/dates.ts';
import { formatWhole } from '../../format/numbers.ts';
import { Card } from '../../ui/card.tsx';
import { Bones, ErrorNote } from '../../ui/note.tsx';
import { toMeaning } from '../panels/bots/left-out.ts';
import { CheckLine } from './check-line.tsx';
import { ServerHealth } from './server-health.tsx';
import styles from './settings.module.css';

const LOOK_AGAIN_MS = 10_000;

/** Whether the site is being measured, and any problems. */
export function Health() {
  const { domain, role, timezone } = useSite();
  const health = useOfSite<HealthAnswer>('/health', { refetchInterval: LOOK_AGAIN_MS });
  if (health.error) return <ErrorNote error={health.error} onRetry={() => void health.refetch()} />;
  if (health.data === undefined) return <Bones height={240} />;
  const { checks, dropped, pageview_at: at } = health.data;
  return (
    <>
      <Card isPadded className={styles.card}>
        <h2>Health</h2>
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
      </Card>
      <Card isPadded className={styles.card}>
        <h2>Dropped in the last 24 hours</h2>
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
      </Card>
      <ServerHealth />
    </>
  );
}
