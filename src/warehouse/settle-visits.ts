import type { Warehouse } from './client.ts';
import { WHOLE_LIMITS } from './question-limits.ts';
import { SETTLED_COLUMNS } from './settled-visits-table.ts';
import { ANY_MONTHS } from './table-settings.ts';
import { toFirstOpenDay } from './visit-days.ts';
import { VISIT_DAY, VISITS_DIGEST } from './visits-table.ts';

/**
 * Questions under way may take a day for settled which is so no more; and rows are taken out of a month at
 * once, which a trickle of late events should not cost every minute.
 */
const STALE_MAX_MS = 3_600_000;
const DAY_MS = 86_400_000;
const PARCEL_EVENTS = 500_000;

/** A day of a site whose visits are not all settled as they are. */
type Day = {
  readonly siteId: string;
  readonly startsAt: number;
  readonly isThere: boolean;
  readonly events: number;
};

/** Settles visits, a run at a time. */
export interface VisitSettler {
  /** Resolves with how many days it settled. Throws when the warehouse does not answer. */
  run(): Promise<number>;
}

/**
 * Copies visits of days that are over into `settled_visits`, in plain columns.
 *
 * - A day is settled when {@link VISITS_DIGEST} is the same in both tables, so that nothing else has to be
 *   kept in step: an event that comes late, a crash in between or an erasure unsettles a day by itself. Questions
 *   take such a day from `visits`, and a later run settles it again.
 * - Units: `now` in milliseconds since 1970, UTC.
 */
export function createVisitSettler(
  warehouse: Pick<Warehouse, 'select' | 'command'>,
  now: () => number,
): VisitSettler {
  /** Days that are there otherwise than they should, by when that was seen first. */
  let stale = new Map<string, number>();
  return {
    async run() {
      if (await isRewriting(warehouse)) return 0;
      const days = await findUnsettled(warehouse, toFirstOpenDay(now()));
      const seenBefore = stale;
      const toKey = ({ siteId, startsAt }: Day) => `${siteId} ${startsAt}`;
      const there = days.filter(({ isThere }) => isThere);
      stale = new Map(
        there.map((day) => [toKey(day), seenBefore.get(toKey(day)) ?? performance.now()]),
      );
      const due = there.filter(
        (day) => performance.now() - (stale.get(toKey(day)) ?? 0) >= STALE_MAX_MS,
      );
      for (const [siteId, own] of Map.groupBy(due, (day) => day.siteId)) {
        await takeOut(warehouse, siteId, own);
      }
      const missing = days.filter(({ isThere }) => !isThere);
      for (const parcel of toParcels(missing)) await settle(warehouse, parcel);
      return missing.length;
    },
  };
}

/** Whether days taken out are still under way. */
async function isRewriting(warehouse: Pick<Warehouse, 'select'>): Promise<boolean> {
  const [row] = await warehouse.select<{ left: string }>({
    sql: `SELECT count() AS left FROM system.mutations
      WHERE database = currentDatabase() AND table = 'settled_visits' AND NOT is_done`,
  });
  return row?.left !== '0';
}

/** The days before the first open one that are not settled as they are in `visits`. */
async function findUnsettled(
  warehouse: Pick<Warehouse, 'select'>,
  firstOpen: number,
): Promise<Day[]> {
  const digests = (table: string, isThere: 0 | 1) => `
    SELECT site_id, ${VISIT_DAY} AS day, ${VISITS_DIGEST} AS digest, sum(events) AS size, ${isThere} AS is_there
    FROM ${table} WHERE ${VISIT_DAY} < toDate({firstOpen:UInt16}) GROUP BY site_id, day`;
  const rows = await warehouse.select<UnsettledRow>(
    {
      sql: `SELECT site_id, toUInt16(day) AS day, max(is_there) AS is_there, max(size) AS size
        FROM (${digests('visits', 0)} UNION ALL ${digests('settled_visits', 1)})
        GROUP BY site_id, day HAVING count() < 2 OR min(digest) != max(digest)
        ORDER BY day DESC, site_id`,
      params: { firstOpen },
    },
    WHOLE_LIMITS,
  );
  return rows.map((row) => ({
    siteId: row.site_id,
    startsAt: row.day * DAY_MS,
    isThere: row.is_there === 1,
    events: Number(row.size),
  }));
}

type UnsettledRow = {
  readonly site_id: string;
  readonly day: number;
  readonly is_there: number;
  readonly size: string;
};

/** Has rows of these days taken out; the engine does it by and by. */
async function takeOut(
  warehouse: Pick<Warehouse, 'command'>,
  siteId: string,
  days: readonly Day[],
): Promise<void> {
  await warehouse.command({
    sql: `ALTER TABLE settled_visits DELETE
      WHERE site_id = {site:String} AND toUInt16(${VISIT_DAY}) IN {days:Array(UInt16)}
      SETTINGS mutations_sync = 0`,
    params: { site: siteId, days: days.map(({ startsAt }) => startsAt / DAY_MS) },
  });
}

/** As many days at once as hold about so many events: whoever ships waits for no longer than that takes. */
function toParcels(days: readonly Day[]): Day[][] {
  const parcels: Day[][] = [];
  let events = Number.POSITIVE_INFINITY;
  for (const day of days) {
    events += day.events;
    if (events > PARCEL_EVENTS) {
      parcels.push([]);
      events = day.events;
    }
    parcels.at(-1)?.push(day);
  }
  return parcels;
}

async function settle(warehouse: Pick<Warehouse, 'command'>, days: readonly Day[]): Promise<void> {
  const starts = days.map(({ startsAt }) => startsAt);
  const sites = days.map(({ siteId }) => siteId);
  await warehouse.command({
    sql: `INSERT INTO settled_visits (${SETTLED_COLUMNS.join(', ')})
      SETTINGS async_insert = 0
      SELECT ${SETTLED_COLUMNS.join(', ')} FROM visits FINAL
      WHERE site_id IN {sites:Array(String)}
        AND visit_started_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
        AND visit_started_at < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
        AND (site_id, toUInt16(${VISIT_DAY})) IN (
          SELECT pair.1, pair.2 FROM (
            SELECT arrayJoin(arrayZip({siteOf:Array(String)}, {days:Array(UInt16)})) AS pair))
      SETTINGS max_threads = 1, do_not_merge_across_partitions_select_final = 1, ${ANY_MONTHS}`,
    params: {
      sites: [...new Set(sites)],
      from: Math.min(...starts),
      to: Math.max(...starts) + DAY_MS,
      siteOf: sites,
      days: starts.map((startsAt) => startsAt / DAY_MS),
    },
  });
}
