import { UnavailableError } from '#domain/unavailable.ts';
import { createGroupCommit } from '#storage/group-commit.ts';
import type { EventName } from '#warehouse/events/find-events.ts';
import type { RecordedEvents } from './ports.ts';

type RecordedEventsOptions = {
  /** Whether the warehouse has each event, in the given order. */
  findEvents(events: readonly EventName[]): Promise<readonly boolean[]>;
  /** Resolves when the warehouse has every event accepted before the call. */
  waitForShipping(): Promise<void>;
};

/** Maximum number of replayed events in flight; more are refused with 503. */
const WAITING_MAX = 5_000;

/**
 * Looks replayed events up in the warehouse.
 *
 * - Why bounded: each replay costs a warehouse lookup, and anyone can mark an event as a replay.
 */
export function createRecordedEvents(options: RecordedEventsOptions): RecordedEvents {
  const queries = createGroupCommit(options.findEvents);
  let waiting = 0;

  return {
    async find(rows) {
      if (waiting + rows.length > WAITING_MAX) {
        throw new UnavailableError('Too many events are being replayed.');
      }
      waiting += rows.length;
      try {
        await options.waitForShipping();
        const found = await Promise.all(
          rows.map((row) =>
            queries.add({ siteId: row.site_id, visitorId: row.visitor_id, eventId: row.event_id }),
          ),
        );
        return new Set(rows.filter((_, index) => found[index]));
      } finally {
        waiting -= rows.length;
      }
    },
  };
}
