import type { EventRow } from '#contract/event-row.ts';
import type { EventJournal, IngestLedger, RecordedEvents } from '../ports.ts';
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
 * that was recorded before.
 *
 * - The usual event goes to the journal and costs nothing more. One that counts once goes to the
 *   ledger, which keeps its id for two days, in one transaction; with it go its neighbours.
 * - An identify goes to the ledger too, which must know of it whatever becomes of the warehouse.
 * - A replay is looked for first, among all that is recorded.
 */
export function createRecordEvents({ journal, ledger, recorded }: RecordEventsPorts) {
  return async (rows: readonly EventRow[], repetitions: readonly Repetition[]): Promise<void> => {
    if (rows.length === 0) return;
    const isUsual = repetitions.every((repetition) => repetition === 'never');
    if (isUsual && !rows.some(({ type }) => type === 'identify')) return journal.append(rows);
    const replays = rows.filter((_, index) => repetitions[index] === 'replay');
    const before = replays.length === 0 ? NONE : await recorded.find(replays);
    const events = rows.flatMap((row, index) => {
      const repetition = repetitions[index];
      if (repetition === 'replay' && before.has(row)) return [];
      return [{ row, onceId: repetition === 'never' ? undefined : row.event_id }];
    });
    if (events.length > 0) await ledger.acceptEvents(events);
  };
}

const NONE: ReadonlySet<EventRow> = new Set();
