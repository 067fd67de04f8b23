import type { Warehouse } from '../client.ts';
import { WHOLE_LIMITS } from '../query-limits.ts';
import { VIEWS } from '../tables/schema.ts';
import { NO_VISIT } from '../tables/table-settings.ts';
import { countHeld, type HeldEvents, putBack } from './held-events.ts';
import { inNamedBatch, mutate, withNames } from './with-names.ts';

/** What is too old to be kept of a site. */
export type Expired = {
  readonly siteId: string;
  /** Visits that began before go, and events of no visit that happened before. */
  readonly since: number;
  /** Only events that were accepted until then: what comes later goes the next time. */
  readonly until: number;
};

/** Visitors of whom something goes, and the batches it came in. */
const NAMES = 'expiring';

const BEGAN_AT = `if(e.visit_id != ${NO_VISIT}, e.visit_started_at, e.occurred_at)`;
const SINCE = "fromUnixTimestamp64Milli({since:Int64}, 'UTC')";
const UNTIL = "fromUnixTimestamp64Milli({until:Int64}, 'UTC')";
const OF_SITE = 'site_id = {site:String}';
/** A visit goes as a whole, so that none is left half. */
const IS_EXPIRED = `e.site_id = {site:String} AND ${BEGAN_AT} < ${SINCE} AND e.accepted_at <= ${UNTIL}`;
/** Of what is expired, what was counted. */
const GOES = `${IS_EXPIRED} AND e.${inNamedBatch(NAMES)}`;

/** Whether a line of the archive holds an event that {@link forgetBefore} takes out. */
export function isExpired(
  event: Readonly<Record<string, unknown>>,
  { siteId, since, until }: Expired,
): boolean {
  const beganAt = event.visit_id === undefined ? event.occurred_at : event.visit_started_at;
  return event.site_id === siteId && Number(beganAt) < since && Number(event.accepted_at) <= until;
}

/** As many ids of batches fit into an answer, into memory and into a row of the ledger, with room to spare. */
const SLICE_EVENTS_MAX = 2_000_000;
const HOUR_MS = 3_600_000;

/**
 * The instant before which to let go at once: all that is expired, or its oldest hours with so many events.
 *
 * Why slices: which batches hold what goes is written down, and a long history has more than anybody can hold.
 */
export async function findSlice(
  warehouse: Pick<Warehouse, 'select'>,
  expired: Expired,
  eventsMax = SLICE_EVENTS_MAX,
): Promise<number> {
  const hours = await warehouse.select<{ hour: string; events: string }>(
    {
      sql: `SELECT intDiv(toUnixTimestamp64Milli(${BEGAN_AT}), ${HOUR_MS}) AS hour, count() AS events
        FROM events AS e WHERE ${IS_EXPIRED} GROUP BY hour ORDER BY hour`,
      params: toParams(expired),
    },
    WHOLE_LIMITS,
  );
  let events = 0;
  for (const [index, row] of hours.entries()) {
    events += Number(row.events);
    if (events > eventsMax && index > 0) return Number(row.hour) * HOUR_MS;
  }
  return expired.since;
}

/** The events that {@link forgetBefore} will take out. */
export async function findExpiredEvents(
  warehouse: Pick<Warehouse, 'select'>,
  expired: Expired,
): Promise<HeldEvents> {
  return countHeld(warehouse, { sql: IS_EXPIRED, params: toParams(expired) });
}

/**
 * Takes what is too old out of events, visits and visitors. Payments and persons stay.
 *
 * - Shape: visitors who came later too are made again of the events that stay, as a rebuild would.
 * - An event whose batch is not named was counted nowhere: it stays until the next time, and so it does in the archive.
 * - Safe to repeat: the events go last, and name whom it is about until then.
 * - `alone` keeps shippers away while visits and visitors are made again; else an event that comes
 *   between would count twice in them.
 */
export async function forgetBefore(
  warehouse: Warehouse,
  expired: Expired & Pick<HeldEvents, 'batchIds'>,
  alone: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<void> {
  const params = toParams(expired);
  await withNames(warehouse, NAMES, async (add) => {
    await add('batch', expired.batchIds);
    await warehouse.command({
      sql: `INSERT INTO ${NAMES} SELECT DISTINCT 'visitor', e.visitor_id FROM events AS e WHERE ${GOES}`,
      params,
    });
    await alone(() => cutViews(warehouse, params));
    await mutate(warehouse, `events DELETE WHERE ${GOES.replaceAll('e.', '')}`, params);
  });
}

async function cutViews(warehouse: Warehouse, params: Params): Promise<void> {
  const some = `(SELECT cityHash64(key) FROM ${NAMES} WHERE kind = 'visitor')`;
  for (const view of VIEWS) {
    const isVisits = view.table === 'visits';
    const isCut = isVisits ? `visit_started_at < ${SINCE}` : `visitor IN ${some}`;
    const isOfCut = isVisits ? `e.visit_started_at < ${SINCE}` : `e.visitor IN ${some}`;
    await mutate(warehouse, `${view.table} DELETE WHERE ${OF_SITE} AND ${isCut}`, params);
    await putBack(warehouse, view, {
      where: `e.${OF_SITE} AND ${isOfCut} AND NOT (${GOES})`,
      params,
    });
  }
}

type Params = { readonly site: string; readonly since: number; readonly until: number };

function toParams({ siteId, since, until }: Expired): Params {
  return { site: siteId, since, until };
}
