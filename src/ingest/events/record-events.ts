import type { EventRow } from '#contract/event-row.ts';
import type { EventJournal, IngestLedger, Proof, RecordedEvents } from '../ports.ts';
import type { EventDraft } from './event-draft.ts';

/**
 * Whether an event may have been recorded before: `never` without an id of its sender's, `perhaps`
 * when a server names one or it waits beside a `replay`, which its sender says it is.
 */
export type Repetition = 'never' | 'perhaps' | 'replay';

/**
 * Whether each event of a request may have been recorded before.
 *
 * Why its neighbours too when one is a replay: they wait with it, and a sender that gives up waiting
 * sends them again meanwhile.
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

/** What recording events needs of the world. */
export type RecordEventsPorts = {
  readonly journal: EventJournal;
  readonly ledger: Pick<IngestLedger, 'acceptEvents'>;
  readonly recorded: RecordedEvents;
};

/**
 * A function that resolves once the rows of one request are on disk, all or none of them, and none
 * that was recorded before. Resolves with the rows that are left out for good: of an identify that
 * names another user id than its visitor has.
 *
 * - The usual event goes to the journal and costs nothing more. One that counts once goes to the
 *   ledger, which keeps its id for two days, in one transaction; with it go its neighbours.
 * - An identify goes to the ledger too, which must know of it whatever becomes of the warehouse.
 * - A replay is looked for first, among all that is recorded.
 */
export function createRecordEvents({ journal, ledger, recorded }: RecordEventsPorts) {
  return async (wanted: readonly WantedEvent[]): Promise<ReadonlySet<EventRow>> => {
    if (wanted.length === 0) return NONE;
    if (wanted.every(isUsual)) {
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

/** An event to be recorded. */
export type WantedEvent = {
  readonly row: EventRow;
  readonly repetition: Repetition;
  readonly proof: Proof;
};

function isUsual({ row, repetition }: WantedEvent): boolean {
  return repetition === 'never' && row.type !== 'identify';
}

const NONE: ReadonlySet<EventRow> = new Set();
