import type { SelectingWarehouse } from './client.ts';
import { EARLIEST_EVENT, VISIT_DAY, VISITS_DIGEST } from './visits-table.ts';

const DAY_MS = 86_400_000;
/** Visits go on for hours at most; what comes later still is no loss, only a day settled twice. */
const SETTLES_AFTER_MS = 6 * 3_600_000;

/** The first day (counted from 1970, UTC) that is not settled yet, nor what is made of settled days. */
export function toFirstOpenDay(now: number): number {
  return Math.floor((now - SETTLES_AFTER_MS) / DAY_MS);
}

/** SQL of a day's mark, from its number and its {@link VISITS_DIGEST}. */
export function toMark(day: string, digest: string): string {
  return `cityHash64(${day}, ${digest})`;
}

/** A day (UTC), and what visits of a site began on it. */
export type VisitDay = {
  /** Counted from 1970. */
  readonly day: number;
  /** A number that is another when any visit of the day is; 0 for a day without any. */
  readonly mark: bigint;
  /** How many events its visits have. */
  readonly events: number;
  /** When the first event of its visits was, in milliseconds. */
  readonly earliestAt: number;
  /** Whether `settled_visits` holds it as it is. */
  readonly isSettled: boolean;
};

/**
 * The days of a site from its first event's or visit's to its last visit's, those without visits included, ascending.
 *
 * - Why the event's: a visit just after midnight by its visitor's clock may have it on the day before.
 * - Throws when the warehouse does not answer.
 */
export async function findVisitDays(
  warehouse: SelectingWarehouse,
  siteId: string,
): Promise<VisitDay[]> {
  const digests = (table: string, isCopy: 0 | 1) => `
    SELECT ${VISIT_DAY} AS began_on, ${VISITS_DIGEST} AS digest, sum(events) AS size, ${EARLIEST_EVENT} AS earliest, ${isCopy} AS is_copy
    FROM ${table} WHERE site_id = {site:String} GROUP BY began_on`;
  const [row] = await warehouse.select<{ days: [number, string, string, string, number][] }>({
    sql: `SELECT arraySort(groupArray((day, mark, events, earliest_at, is_settled))) AS days FROM (
        SELECT toUInt16(began_on) AS day,
          if(min(is_copy) = 0, toString(${toMark('day', 'anyIf(digest, is_copy = 0)')}), '0') AS mark,
          toString(max(size)) AS events,
          toString(anyIf(earliest, is_copy = 0)) AS earliest_at,
          count() = 2 AND min(digest) = max(digest) AS is_settled
        FROM (${digests('visits', 0)} UNION ALL ${digests('settled_visits', 1)})
        GROUP BY day)`,
    params: { site: siteId },
  });
  const days = (row?.days ?? []).map(([day, mark, events, earliestAt, isSettled]) => ({
    day,
    mark: BigInt(mark),
    events: Number(events),
    earliestAt: mark === '0' ? Number.POSITIVE_INFINITY : Number(earliestAt),
    isSettled: isSettled === 1,
  }));
  const earliestAt = Math.min(...days.map((day) => day.earliestAt));
  const earliest = Math.min(Math.floor(earliestAt / DAY_MS), days[0]?.day ?? 0);
  return days.flatMap((day, index) => {
    const before = days[index - 1];
    return [...daysBetween(before === undefined ? earliest : before.day + 1, day), day];
  });
}

/** Days on which nothing began: what began before may still go on, or what will have an event already. */
function daysBetween(first: number, { day }: VisitDay): VisitDay[] {
  return Array.from({ length: day - first }, (_, index) => ({
    ...{ day: first + index, mark: 0n, events: 0, isSettled: true },
    earliestAt: Number.POSITIVE_INFINITY,
  }));
}

/**
 * For each of these days, a number that is another when any visit is that began by then, or has an event by
 * then; `undefined` where no number tells that.
 *
 * Why that of the next day, too: a visit may begin just after midnight by its visitor's clock, with a
 * first event just before it by ours.
 */
export function toBases(days: readonly VisitDay[]): (bigint | undefined)[] {
  const bases: (bigint | undefined)[] = [];
  let mark = days.reduce((sum, day) => sum + day.mark, 0n);
  let [next, afterNext] = [NOTHING, Number.POSITIVE_INFINITY];
  for (const day of days.toReversed()) {
    const endsAt = (day.day + 1) * DAY_MS;
    const reached = next.earliestAt < endsAt ? next.mark : 0n;
    bases.push(afterNext < endsAt ? undefined : BigInt.asUintN(64, mark + reached));
    mark -= day.mark;
    afterNext = Math.min(afterNext, next.earliestAt);
    next = day;
  }
  return bases.reverse();
}

const NOTHING: Pick<VisitDay, 'mark' | 'earliestAt'> = {
  mark: 0n,
  earliestAt: Number.POSITIVE_INFINITY,
};
