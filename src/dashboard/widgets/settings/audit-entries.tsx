import type { AuditAnswer } from '#contract/sites/audit.ts';
import { formatInstant } from '../../format/dates.ts';
import { LongWord } from '../../ui/long-word.tsx';
import styles from './settings.module.css';

type AuditEntriesProps = {
  readonly entries: AuditAnswer['entries'];
  readonly timezone: string;
  /** Whether each entry names its site. */
  readonly hasSites?: boolean;
};

/** Changes and sign-ins: what, when and by whom. */
export function AuditEntries({ entries, timezone, hasSites = false }: AuditEntriesProps) {
  return (
    <ul>
      {entries.map(({ at, site, who, what, about }) => (
        <li key={`${at} ${site} ${what} ${about}`} className={styles.deed}>
          <p>
            <b>{toSentence(what)}</b> <LongWord text={about} />
          </p>
          <p className={styles.when}>
            {formatInstant(at, timezone)}
            {hasSites && site !== null && (
              <>
                {' '}
                · <LongWord text={site} />
              </>
            )}{' '}
            · <LongWord text={who} />
          </p>
        </li>
      ))}
    </ul>
  );
}

/** The dashboard calls annotations notes. */
function toSentence(what: string): string {
  const named = what.replace(/^annotation\b/, 'note');
  return `${named.charAt(0).toUpperCase()}${named.slice(1)}`;
}
