import type { ReplayAnswer } from '#contract/sites/providers.ts';
import { useChangeOfSite, useSite } from '../../api/account.ts';
import { formatInstant } from '../../format/dates.ts';
import { formatNoun, formatWhole } from '../../format/numbers.ts';
import { Button } from '../../ui/button.tsx';
import {
  DividedList,
  Inline,
  LongWord,
  Section,
  Soft,
  Words,
  wordsClass,
} from '../../ui/layout.tsx';
import { type Column, numberColumn, Table, textColumn } from '../../ui/table.tsx';
import { countOf, type ShownConnection } from './connection-state.ts';

/** What became of events, by their state. */
const STATES: Readonly<Record<string, string>> = {
  new: 'Waiting',
  done: 'Read',
  ignored: 'Not about payments',
  unknown: 'Unknown type, kept',
  failed: 'Failed',
  test: 'Test, left out',
  erased: 'Erased',
};

const COLUMNS: readonly Column<ShownConnection['events'][number]>[] = [
  textColumn('Event', ({ type }) => <LongWord text={type} />),
  textColumn('Result', ({ state }) => STATES[state] ?? state),
  numberColumn('Number', ({ count }) => formatWhole(count)),
];

/** A connection's events by kind, those that failed with the reason, and what reads them again. */
export function ConnectionEvents({ connection }: { readonly connection: ShownConnection }) {
  const { events } = connection;
  return (
    <Section title="Events">
      {events.length === 0 ? (
        <Soft>No event has arrived yet.</Soft>
      ) : (
        <Table
          {...{ label: 'Events by kind', columns: COLUMNS, rows: events, look: 'plain' }}
          keyOf={({ type, state }) => `${type} ${state}`}
        />
      )}
      <FailedEvents connection={connection} />
      {events.length > 0 && <Replay connection={connection} />}
    </Section>
  );
}

function FailedEvents({ connection }: { readonly connection: ShownConnection }) {
  const { timezone } = useSite();
  const { failed } = connection;
  if (failed.length === 0) return null;
  const all = countOf(connection, 'failed');
  return (
    <div>
      <h3>
        {all > failed.length ? `The latest ${failed.length} of ${all} that failed` : 'Failed'}
      </h3>
      <DividedList>
        {failed.map(({ id, type, received_at: at, why }) => (
          <li key={id} className={wordsClass('broken')}>
            <Words as="p" look="bad">
              {why}
            </Words>
            <Soft>
              <LongWord text={type} /> · <LongWord text={id} />
              {at !== null && ` · ${formatInstant(at, timezone)}`}
            </Soft>
          </li>
        ))}
      </DividedList>
    </div>
  );
}

/** After an update, or other settings. Nothing is counted twice. */
function Replay({ connection }: { readonly connection: ShownConnection }) {
  const { data, error, isPending, mutate } = useChangeOfSite<ReplayAnswer>();
  const hasFailed = countOf(connection, 'failed') + countOf(connection, 'unknown') > 0;
  const replay = (failed: boolean) =>
    mutate({ method: 'POST', path: `/providers/${connection.id}/replay`, body: { failed } });
  return (
    <Inline gap={12}>
      {hasFailed && (
        <Button disabled={isPending} onClick={() => replay(true)}>
          Replay failed and unknown
        </Button>
      )}
      <Button disabled={isPending} onClick={() => replay(false)}>
        Replay all
      </Button>
      <Words look="soft" role="status">
        {data && `${formatNoun(data.events, 'event')} read again.`}
      </Words>
      {error && <p role="alert">{error.message}</p>}
    </Inline>
  );
}
