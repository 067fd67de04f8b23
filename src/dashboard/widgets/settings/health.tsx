import { Link } from 'wouter';
import type { ExaminationAnswer, HealthAnswer } from '#contract/sites/health.ts';
import { useGet, useMe, useOfSite, useSite } from '../../api/account.ts';
import { formatInstant } from '../../format/dates.ts';
import { formatWhole } from '../../format/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { Section, Soft, Stack, TickLine, Words } from '../../ui/layout.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { type Column, numberColumn, Table, textColumn } from '../../ui/table.tsx';
import { toMeaning } from '../panels/bots/left-out.ts';

const LOOK_AGAIN_MS = 10_000;

/** Whether the site is being measured, and any problems. */
export function Health() {
  const health = useOfSite<HealthAnswer>('/health', { refetchInterval: LOOK_AGAIN_MS });
  return (
    <Loaded of={health} height={240}>
      {(found) => <SiteHealth {...found} />}
    </Loaded>
  );
}

function SiteHealth({ checks, dropped, pageview_at: at }: HealthAnswer) {
  const { domain, role, timezone } = useSite();
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
  textColumn('Reason', ({ reason }) => toMeaning(reason)),
  numberColumn('Events', ({ count }) => formatWhole(count)),
];

/** For the server's owner: what `tributary doctor` finds, and how to fix it. */
function ServerHealth() {
  const { data: me } = useMe();
  const isOwner = me?.user.is_owner === true;
  const examination = useGet<ExaminationAnswer>('/api/v1/doctor', {
    ...{ enabled: isOwner, staleTime: Number.POSITIVE_INFINITY },
  });
  if (!isOwner) return null;
  return (
    <Section title="Server">
      <Loaded of={examination} height={160}>
        {({ findings }) => (
          <Stack gap={8}>
            {findings.map(({ check, ok, found, advice }) => (
              <TickLine key={check} isGood={ok}>
                <b>{check}</b>: {found}
                {advice && <Words look="soft"> {advice}</Words>}
              </TickLine>
            ))}
            <div>
              <Button disabled={examination.isFetching} onClick={() => void examination.refetch()}>
                Check again
              </Button>
            </div>
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}
