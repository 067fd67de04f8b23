import type { AuditAnswer } from '#contract/sites/audit.ts';
import { formatInstant } from '../../format/dates.ts';
import { DividedList, Words, wordsClass } from '../../ui/layout.tsx';
import { LongWord } from '../../ui/long-word.tsx';

type AuditEntriesProps = {
  readonly entries: AuditAnswer['entries'];
  readonly timezone: string;
  /** Whether each entry names its site. */
  readonly hasSites?: boolean;
};

/** Changes and sign-ins: what, when and by whom. */
export function AuditEntries({ entries, timezone, hasSites = false }: AuditEntriesProps) {
  return (
    <DividedList>
      {entries.map(({ at, site, who, what, about }) => (
        <li key={`${at} ${site} ${what} ${about}`} className={wordsClass('broken')}>
          <p>
            <b>{toSentence(what)}</b> <LongWord text={about} />
          </p>
          <Words as="p" look={['soft', 'small']}>
            {formatInstant(at, timezone)}
            {hasSites && site !== null && (
              <>
                {' '}
                · <LongWord text={site} />
              </>
            )}{' '}
            · <LongWord text={who} />
          </Words>
        </li>
      ))}
    </DividedList>
  );
}

/** The dashboard calls annotations notes. */
function toSentence(what: string): string {
  const named = what.replace(/^annotation\b/, 'note');
  return `${named.charAt(0).toUpperCase()}${named.slice(1)}`;
}
