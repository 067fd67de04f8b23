import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { ExaminationAnswer, HealthAnswer } from '#contract/sites/health.ts';
import { useMe, useSite } from '../../api/account.ts';
import { request } from '../../api/api.ts';
import { useOfSite } from '../../api/site-settings.ts';
import { formatInstant } from '../../format/dates.ts';
import { formatWhole } from '../../format/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/card.tsx';
import { Soft, Stack, Words } from '../../ui/layout.tsx';
import { TickLine, Unloaded } from '../../ui/note.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { toMeaning } from '../panels/bots/left-out.ts';

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
        <Stack gap={8}>
          {checks.map(({ name, ok, message }) => (
            <TickLine key={name} isGood={ok}>
              {message}
              {name === 'hosts' && !ok && role !== 'viewer' && (
                <>
                  {' '}
                  <Link to={`/${domain}/settings/general`}>Allowed hosts</Link>
                </>
              )}
            </TickLine>
          ))}
        </Stack>
        <Soft>
          {at === null
            ? 'No pageview in the last 30 days.'
            : `Last pageview ${formatInstant(at, timezone)}.`}
        </Soft>
      </Section>
      <Section title="Dropped in the last 24 hours">
        <Table
          {...{ label: 'Dropped events', columns: DROPS, rows: dropped, look: 'plain' }}
          keyOf={({ reason }) => reason}
          empty="No events were dropped."
          hasHead={false}
        />
      </Section>
      <ServerHealth />
    </>
  );
}

const DROPS: readonly Column<HealthAnswer['dropped'][number]>[] = [
  { name: 'reason', label: 'Reason', cell: ({ reason }) => toMeaning(reason) },
  {
    ...{ name: 'count', label: 'Events', isNumber: true },
    cell: ({ count }) => formatWhole(count),
  },
];

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
      <Stack gap={8}>
        {data?.findings.map(({ check, ok, found, advice }) => (
          <TickLine key={check} isGood={ok}>
            <b>{check}</b>: {found}
            {advice && <Words look="soft"> {advice}</Words>}
          </TickLine>
        ))}
      </Stack>
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
