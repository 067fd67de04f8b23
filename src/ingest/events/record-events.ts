import type { EventRow } from '#contract/rows/event-row.ts';
import type { Proof } from '#domain/identity/identity.ts';
import type { EventJournal, IngestLedger, RecordedEvents } from '../ports.ts';
import type { EventDraft } from './event-draft.ts';

/**
 * Whether an event may have been recorded before. `replay`: its sender marked it as a retry.
 * `perhaps`: a server sent an id, or the event comes with a replay. `never`: all others.
 */
export type Repetition = 'never' | 'perhaps' | 'replay';

/**
 * Decides whether each event of a request may have been recorded before.
 *
 * Why a replay affects its neighbours: they wait with it, and a sender that times out meanwhile sends
 * them again.
 */
export function findRepetitions(drafts: readonly EventDraft[]): Repetition[] {
  const repetitions = drafts.map(findRepetition);
  if (!repetitions.includes('replay')) return repetitions;
  return repetitions.map((repetition, index) =>
    repetition === 'never' && drafts[index]?.event.event_id !== undefined ? 'perhaps' : repetition,
  );
}

function findRepetition({ event, sender }: EventDraft): Repetition {
  if (event.event_id === undefined) return 'never';
  if (event.retry === true) return 'replay';
  return sender.trustedSiteId === undefined ? 'never' : 'perhaps';
}

type RecordEventsPorts = {
  readonly journal: EventJournal;
  readonly ledger: Pick<IngestLedger, 'acceptEvents'>;
  readonly recorded: RecordedEvents;
};

/**
 * Creates a function that records the rows of one request atomically, without duplicates. It resolves
 * once they are on disk, with the rows of identity conflicts, which are not recorded.
 *
 * - Ordinary events go to the journal. If an event needs deduplication, the whole request goes to the
 *   ledger in one transaction, and the ledger keeps the event ids for two days.
 * - An identify also goes to the ledger, because identities must survive without the warehouse.
 * - Replays are looked up among all recorded events first.
 */
export function createRecordEvents({ journal, ledger, recorded }: RecordEventsPorts) {
  return async (wanted: readonly WantedEvent[]): Promise<ReadonlySet<EventRow>> => {
    if (wanted.length === 0) return NONE;
    if (wanted.every(({ row, repetition: is }) => is === 'never' && row.type !== 'identify')) {
      await journal.append(wanted.map(({ row }) => row));
      return NONE;
    }
    const replays = wanted.filter(({ repetition }) => repetition === 'replay');
    const before = replays.length === 0 ? NONE : await recorded.find(replays.map(({ row }) => row));
    const events = wanted
      .filter(({ row }) => !before.has(row))
      .map(({ row, proof, repetition }) => {
        return { row, proof, onceId: repetition === 'never' ? undefined : row.event_id };
      });
    if (events.length === 0) return NONE;
    const outcome = await ledger.acceptEvents(events);
    const conflicts = ('conflicts' in outcome && outcome.conflicts) || [];
    return new Set(events.filter((_, index) => conflicts.includes(index)).map(({ row }) => row));
  };
}

type WantedEvent = {
  readonly row: EventRow;
  readonly repetition: Repetition;
  readonly proof: Proof;
};

const NONE: ReadonlySet<EventRow> = new Set();
