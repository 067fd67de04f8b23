import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import type { AuditAnswer } from '#contract/sites/audit.ts';
import { AUDIT_LIMIT } from '#domain/account/audit.ts';
import { useGet, useMe } from '../../api/account.ts';
import { formatInstant } from '../../format/dates.ts';
import { Button } from '../../ui/button.tsx';
import { DividedList, LongWord, Section, Soft, Words, wordsClass } from '../../ui/layout.tsx';
import { Loaded } from '../../ui/loaded.tsx';

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

const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const FIRST = 10;
const MORE = 100;

/** For the server's owner: changes on all sites, removed ones included, sign-ins and commands. */
export function ServerAudit() {
  const isOwner = useMe().data?.user.is_owner === true;
  const [limit, setLimit] = useState(FIRST);
  const answer = useGet<AuditAnswer>(`/api/v1/audit?limit=${limit}`, {
    ...{ enabled: isOwner, placeholderData: keepPreviousData },
  });
  if (!isOwner) return null;
  const mayHaveMore = answer.data?.entries.length === limit && limit < AUDIT_LIMIT.max;
  return (
    <Section title="Audit log of the server">
      <Soft>
        Changes on all sites, removed ones included, sign-ins and commands. Failed sign-ins are
        counted by the hour.
      </Soft>
      <Loaded of={answer} height={320}>
        {({ entries }) => <AuditEntries entries={entries} timezone={ZONE} hasSites />}
      </Loaded>
      {mayHaveMore && (
        <div>
          <Button onClick={() => setLimit(Math.min(limit + MORE, AUDIT_LIMIT.max))}>
            Show older
          </Button>
        </div>
      )}
    </Section>
  );
}
