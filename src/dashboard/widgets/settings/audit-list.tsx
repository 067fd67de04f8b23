import { useSite } from '../../account.ts';
import { formatInstant } from '../../format/dates.ts';
import { type AuditEntry, useOfSite } from '../../site-settings.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyNote, ErrorNote } from '../../ui/note.tsx';
import styles from './settings.module.css';

/** Who changed what of the site, and when its people signed in. */
export function AuditList() {
  const { timezone } = useSite();
  const { data, error } = useOfSite<{ readonly entries: readonly AuditEntry[] }>('/audit?limit=50');
  return (
    <Card isPadded className={styles.card}>
      <h2>What people did</h2>
      {error && <ErrorNote error={error} />}
      {data?.entries.length === 0 && (
        <EmptyNote>Nobody has changed anything or signed in yet.</EmptyNote>
      )}
      <div className={styles.scroll}>
        <table className={styles.table}>
          <tbody>
            {data?.entries.map(({ at, who, what, about }) => (
              <tr key={`${at} ${what} ${about}`}>
                <td className={styles.soft}>{formatInstant(at, timezone)}</td>
                <td>{who}</td>
                <td>{what}</td>
                <td>{about}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}
