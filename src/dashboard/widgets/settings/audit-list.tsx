import type { AuditAnswer } from '#contract/sites/audit.ts';
import { useSite } from '../../api/account.ts';
import { useOfSite } from '../../api/site-settings.ts';
import { Card } from '../../ui/card.tsx';
import { ErrorNote } from '../../ui/note.tsx';
import { AuditEntries } from './audit-entries.tsx';
import styles from './settings.module.css';

/** Who changed what on the site, and when members signed in. */
export function AuditList() {
  const { timezone } = useSite();
  const { data, error } = useOfSite<AuditAnswer>('/audit?limit=50');
  return (
    <Card isPadded className={styles.card}>
      <h2>Audit log</h2>
      {error && <ErrorNote error={error} />}
      {data?.entries.length === 0 && (
        <p className={styles.soft}>No changes and no sign-ins of members yet.</p>
      )}
      {data && <AuditEntries entries={data.entries} timezone={timezone} />}
    </Card>
  );
}
