import { useSite } from '../../account.ts';
import { formatInstant } from '../../format/dates.ts';
import { type AuditEntry, useOfSite } from '../../site-settings.ts';
import { Card } from '../../ui/card.tsx';
import { LongWord } from '../../ui/long-word.tsx';
import { ErrorNote } from '../../ui/note.tsx';
import styles from './settings.module.css';

/** Who changed what on the site, and when members signed in. */
export function AuditList() {
  const { timezone } = useSite();
  const { data, error } = useOfSite<{ readonly entries: readonly AuditEntry[] }>('/audit?limit=50');
  return (
    <Card isPadded className={styles.card}>
      <h2>Audit log</h2>
      {error && <ErrorNote error={error} />}
      {data?.entries.length === 0 && (
        <p className={styles.soft}>No changes and no sign-ins of members yet.</p>
      )}
      <ul>
        {data?.entries.map(({ at, who, what, about }) => (
          <li key={`${at} ${what} ${about}`} className={styles.deed}>
            <p>
              <b>{toSentence(what)}</b> <LongWord text={about} />
            </p>
            <p className={styles.when}>
              {formatInstant(at, timezone)} · <LongWord text={who} />
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function toSentence(what: string): string {
  return `${what.charAt(0).toUpperCase()}${what.slice(1)}`;
}
