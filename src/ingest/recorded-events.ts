import { UnavailableError } from '#domain/unavailable.ts';
import { createGroupCommit } from '#storage/group-commit.ts';
import type { EventName } from '#warehouse/events/find-events.ts';
import type { RecordedEvents } from './ports.ts';

/** Whom to ask about events that may have been recorded before. */
export type RecordedEventsOptions = {
  /** Whether the warehouse has each event, in the order asked. */
  findEvents(events: readonly EventName[]): Promise<readonly boolean[]>;
  /** Resolves when the warehouse has all that was accepted before, by whatever process. */
  waitForShipping(): Promise<void>;
};

/** More replays than this at a time are refused for now. */
const WAITING_MAX = 5_000;

/**
 * The events that are recorded, as the warehouse knows them.
 *
 * - Why bounded: an event that is sent again costs a look into the warehouse, and anybody may say
 *   that it is.
 */
export function createRecordedEvents(options: RecordedEventsOptions): RecordedEvents {
  const queries = createGroupCommit(options.findEvents);
  let waiting = 0;

  return {
    async find(rows) {
      if (waiting + rows.length > WAITING_MAX) {
        throw new UnavailableError('Too many events are being sent again.');
      }
      waiting += rows.length;
      try {
        await options.waitForShipping();
        const found = await Promise.all(
          rows.map((row) =>
            queries.add({
              siteId: row.site_id,
              visitorId: row.visitor_id,
              eventId: row.event_id,
            }),
          ),
        );
        return new Set(rows.filter((_, index) => found[index]));
      } finally {
        waiting -= rows.length;
      }
    },
  };
}
