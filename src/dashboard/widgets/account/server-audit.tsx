import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { AUDIT_LIMIT, type AuditAnswer } from '#contract/sites/audit.ts';
import { useMe } from '../../api/account.ts';
import { request } from '../../api/api.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/card.tsx';
import { Soft } from '../../ui/layout.tsx';
import { Unloaded } from '../../ui/note.tsx';
import { AuditEntries } from '../settings/audit-entries.tsx';

const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const FIRST = 10;
const MORE = 100;

/** For the server's owner: changes on all sites, removed ones included, sign-ins and commands. */
export function ServerAudit() {
  const isOwner = useMe().data?.user.is_owner === true;
  const [limit, setLimit] = useState(FIRST);
  const { data, error, refetch } = useQuery({
    queryKey: ['audit', limit],
    queryFn: ({ signal }) => request<AuditAnswer>(`/api/v1/audit?limit=${limit}`, { signal }),
    enabled: isOwner,
    placeholderData: keepPreviousData,
  });
  if (!isOwner) return null;
  const mayHaveMore = data?.entries.length === limit && limit < AUDIT_LIMIT.max;
  return (
    <Section title="Audit log of the server">
      <Soft>
        Changes on all sites, removed ones included, sign-ins and commands. Failed sign-ins are
        counted by the hour.
      </Soft>
      {data === undefined && <Unloaded {...{ error, refetch }} height={320} />}
      {data && <AuditEntries entries={data.entries} timezone={ZONE} hasSites />}
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
