import type { SelectingWarehouse, Warehouse } from './client.ts';
import { countDays } from './count-days.ts';
import { WHOLE_LIMITS } from './question-limits.ts';
import { RefusedQuestionError } from './refused-question.ts';
import { findVisitDays, toBases, toFirstOpenDay, type VisitDay } from './visit-days.ts';
import { VISIT_DAY, VISITS_DIGEST } from './visits-table.ts';

/** Late events outdate all days from theirs on: a trickle of them must not have all counted each minute. */
const STALE_MAX_MS = 3_600_000;
/** What was too much for the engine is not asked of it every minute. */
const REFUSED_FOR_MS = 3_600_000;
/** Sites of fewer events are answered as fast without, and would have as many rows of counts as events. */
const WORTH_EVENTS = 500_000;

type SettlingWarehouse = Pick<Warehouse, 'select' | 'command'>;

/** Counts settled days ahead, a run at a time. */
export interface CountSettler {
  /** Resolves with how many days it counted. Throws when the warehouse does not answer. */
  run(): Promise<number>;
}

/**
 * Counts visitors of settled days and what they did ahead, into `settled_counts` and `settled_seen`.
 *
 * - A day's rows count while its basis (visit-days.ts) is what it was when they were made, and once all
 *   of them are there: then `settled_days` names their run. So nothing has to be kept in step: whatever
 *   comes late, is erased or broken off makes the rows count no more, until a later run makes them anew.
 * - Units: `now` in milliseconds since 1970, UTC. Sites with fewer than `fromEvents` are left out.
 */
export function createCountSettler(
  warehouse: SettlingWarehouse,
  now: () => number,
  { fromEvents = WORTH_EVENTS }: { readonly fromEvents?: number } = {},
): CountSettler {
  /** What a site's days were when all was counted, so that it is looked at again only when they change. */
  const doneBySite = new Map<string, string>();
  const staleSince = new Map<string, number>();
  /** Sites whose counting was refused, by when. */
  const refusedAt = new Map<string, number>();
  /** Whether there may be rows of runs that are not named. */
  let isLeft = true;

  /** Counted outdated days are waited with; days never counted are not. */
  function isDue(key: string, isOutdated: boolean): boolean {
    if (!isOutdated) return true;
    const since = staleSince.get(key) ?? performance.now();
    staleSince.set(key, since);
    return performance.now() - since >= STALE_MAX_MS;
  }

  function isRefused(siteId: string): boolean {
    const refused = refusedAt.get(siteId);
    return refused !== undefined && performance.now() - refused < REFUSED_FOR_MS;
  }

  async function countSite(siteId: string, firstOpen: number) {
    const { days, firstDay, obsolete, events } = await findUncounted(warehouse, siteId, firstOpen);
    if (obsolete.length > 0) {
      await unname(warehouse, siteId, obsolete);
      isLeft = true;
    }
    const due = days.filter(({ day, isOutdated }) => isDue(`${siteId} ${day}`, isOutdated));
    if (due.length > 0) {
      const isAll = due[0]?.day === firstDay;
      isLeft = !(await countDays(warehouse, siteId, due, { isAll, events })) || isLeft;
    }
    for (const { day } of due) staleSince.delete(`${siteId} ${day}`);
    return { counted: due.length, isDone: due.length === days.length && obsolete.length === 0 };
  }

  return {
    async run() {
      const firstOpen = toFirstOpenDay(now());
      if (isLeft) await takeOutUnnamed(warehouse);
      isLeft = false;
      let counted = 0;
      for (const { siteId, state } of await findSites(warehouse, { firstOpen, fromEvents })) {
        if (doneBySite.get(siteId) === state || isRefused(siteId)) continue;
        const site = await countSite(siteId, firstOpen).catch((error: unknown) => {
          isLeft = true;
          if (error instanceof RefusedQuestionError) refusedAt.set(siteId, performance.now());
          throw error;
        });
        counted += site.counted;
        if (site.isDone && site.counted === 0) doneBySite.set(siteId, state);
      }
      return counted;
    },
  };
}

type Site = { readonly siteId: string; readonly state: string };

/**
 * Every site with so many events on days that are over, and a number that is another when any of these days is, or
 * is counted otherwise.
 */
async function findSites(
  warehouse: SettlingWarehouse,
  { firstOpen, fromEvents }: { readonly firstOpen: number; readonly fromEvents: number },
): Promise<Site[]> {
  const digests = (table: string) => `
    SELECT site_id, ${VISIT_DAY} AS day, ${VISITS_DIGEST} AS digest, sum(events) AS size
    FROM ${table} WHERE ${VISIT_DAY} < toDate({firstOpen:UInt16}) GROUP BY site_id, day`;
  const rows = await warehouse.select<{ site_id: string; state: string }>(
    {
      sql: `SELECT site_id, toString(sum(cityHash64(day, digest, copy))) AS state FROM (
          SELECT *, 0 AS copy FROM (${digests('visits')})
          UNION ALL SELECT *, 1 AS copy FROM (${digests('settled_visits')})
          UNION ALL SELECT site_id, toDate(day) AS day, sum(cityHash64(run, basis)) AS digest, 0 AS size, 2 AS copy
          FROM settled_days GROUP BY site_id, day)
        GROUP BY site_id HAVING sumIf(size, copy = 0) >= {fromEvents:UInt64} ORDER BY site_id`,
      params: { firstOpen, fromEvents },
    },
    WHOLE_LIMITS,
  );
  return rows.map((row) => ({ siteId: row.site_id, state: row.state }));
}

/** The days that can be counted and are not as they are, and runs that are of no use any more. */
async function findUncounted(warehouse: SettlingWarehouse, siteId: string, firstOpen: number) {
  const all = await findVisitDays(warehouse, siteId);
  const bases = toBases(all);
  const counted = await findCounted(warehouse, siteId);
  const basisByDay = new Map(all.map(({ day }, index) => [day, bases[index]]));
  const isValid = ({ day, basis }: CountedDay) => basisByDay.get(day) === basis;
  const validDays = new Set(counted.filter(isValid).map(({ day }) => day));
  const countedDays = new Set(counted.map(({ day }) => day));
  const firstUnsettled = all.find(({ isSettled }) => !isSettled)?.day ?? firstOpen;
  const days = all.flatMap(({ day, events }, index) => {
    const basis = bases[index];
    const isCountable = basis !== undefined && day < Math.min(firstOpen, firstUnsettled);
    if (!isCountable || validDays.has(day)) return [];
    return [{ day, basis, events, isOutdated: countedDays.has(day) }];
  });
  const obsolete = counted.filter(
    (one) => !isValid(one) && (validDays.has(one.day) || !basisByDay.has(one.day)),
  );
  return {
    days,
    firstDay: all[0]?.day,
    obsolete: obsolete.map(({ run }) => run),
    events: all.reduce((sum, day) => sum + day.events, 0),
  };
}

/** A day of a site that was counted, by which run, and of what. */
export type CountedDay = { readonly day: number; readonly run: number; readonly basis: bigint };

/** Each of these days of a site, with the run that counted it as it is, if one did. */
export function toRuns(
  days: readonly VisitDay[],
  counted: readonly CountedDay[],
): { readonly day: number; readonly run: number | undefined }[] {
  const bases = toBases(days);
  return days.map(({ day }, index) => ({
    day,
    run: counted.find((one) => one.day === day && one.basis === bases[index])?.run,
  }));
}

/** The days of a site that were ever counted. */
export async function findCounted(
  warehouse: SelectingWarehouse,
  siteId: string,
): Promise<CountedDay[]> {
  const [row] = await warehouse.select<{ days: [number, string, string][] }>({
    sql: `SELECT groupArray((day, toString(run), toString(basis))) AS days
      FROM settled_days WHERE site_id = {site:String}`,
    params: { site: siteId },
  });
  return (row?.days ?? []).map(([day, run, basis]) => ({
    day,
    run: Number(run),
    basis: BigInt(basis),
  }));
}

/**
 * Has these runs named no more; their rows are taken out when that is done, by a later run.
 *
 * Why nothing waits for it: whoever ships would wait too, for some seconds.
 */
async function unname(
  warehouse: SettlingWarehouse,
  siteId: string,
  runs: readonly number[],
): Promise<void> {
  await warehouse.command({
    sql: `ALTER TABLE settled_days DELETE WHERE site_id = {site:String} AND run IN {runs:Array(UInt64)}
      SETTINGS mutations_sync = 0`,
    params: { site: siteId, runs },
  });
}

/**
 * Has rows taken out whose run is not named: a crash leaves them, or another run has replaced it. Nobody may
 * be counting; what is written from here on stays.
 */
async function takeOutUnnamed(warehouse: SettlingWarehouse): Promise<void> {
  const isUnknown = 'run NOT IN (SELECT run FROM settled_days)';
  for (const table of ['settled_seen', 'settled_counts']) {
    const rows = await warehouse.select(
      { sql: `SELECT 1 FROM ${table} WHERE ${isUnknown} LIMIT 1` },
      WHOLE_LIMITS,
    );
    if (rows.length === 0) continue;
    await warehouse.command({
      sql: `ALTER TABLE ${table} DELETE WHERE ${isUnknown} SETTINGS mutations_sync = 0`,
    });
  }
}
