import type { Warehouse } from '../client/client.ts';

/** The identity of an event. */
export type EventName = {
  readonly siteId: string;
  readonly visitorId: string;
  readonly eventId: string;
};

/**
 * Whether the warehouse has each of the events, in the given order.
 *
 * - Throws WarehouseUnavailableError if the engine does not answer.
 * - Why by visitor too: events of a site, day and type are sorted by visitor. The visitor narrows the search to a few
 *   rows, while the id alone would scan all.
 */
export async function findEvents(
  warehouse: Warehouse,
  events: readonly EventName[],
): Promise<boolean[]> {
  const rows = await warehouse.select<{ site_id: string; visitor_id: string; id: string }>({
    sql: QUERY,
    params: {
      sites: [...new Set(events.map((event) => event.siteId))],
      visitors: [...new Set(events.map((event) => event.visitorId))],
      ids: [...new Set(events.map((event) => event.eventId))],
    },
  });
  const found = new Set(rows.map((row) => `${row.site_id} ${row.visitor_id} ${row.id}`));
  return events.map(({ siteId, visitorId, eventId }) =>
    found.has(`${siteId} ${visitorId} ${eventId.toLowerCase()}`),
  );
}

const QUERY = `
SELECT DISTINCT site_id, visitor_id, toString(event_id) AS id
FROM events
WHERE site_id IN {sites:Array(String)} AND visitor_id IN {visitors:Array(String)}
  AND event_id IN (SELECT toUUID(arrayJoin({ids:Array(String)})))`;
