import type { LiveAnswer } from '#contract/live.ts';
import type { Result } from '#domain/result.ts';
import type { ReportSite, ReportWarehouse } from '../ports.ts';
import { toIso } from '../query/shape/to-answer-row.ts';
import { withinLimits } from '../query/within-limits.ts';
import type { Refusal } from '../refusal.ts';
import type { WarehouseOf } from '../scheduler/scheduled-warehouse.ts';
import {
  MINUTE_MS,
  MINUTES,
  type MinuteRow,
  type NowRow,
  toMinutesStatement,
  toNowStatement,
} from './now-sql.ts';

/** Who is on the site now, as lists of at most `limit` rows. Throws when the warehouse is away. */
export type CountLive = (site: ReportSite, limit: number) => Promise<Result<LiveAnswer, Refusal>>;

/** So long one answer serves all who ask: many dashboards show the same now. */
const FRESH_MS = 1_000;
const KEPT_MAX = 1_000;

type Kept = { readonly at: number; readonly answer: Promise<Result<LiveAnswer, Refusal>> };

/** A function that counts who is there; `now` in milliseconds, UTC. */
export function createCountLive(deps: {
  readonly warehouseOf: WarehouseOf;
  readonly now: () => number;
}): CountLive {
  const kept = new Map<string, Kept>();

  return (site, limit) => {
    const now = deps.now();
    const key = `${site.id} ${limit}`;
    const known = kept.get(key);
    if (known !== undefined && now - known.at < FRESH_MS && now >= known.at) return known.answer;
    const answer = withinLimits(deps.warehouseOf(site), (warehouse) =>
      count(warehouse, site, limit, now),
    );
    if (kept.size >= KEPT_MAX) kept.clear();
    kept.set(key, { at: now, answer });
    answer.catch(() => kept.delete(key)); // Who asks next may be luckier.
    return answer;
  };
}

async function count(
  warehouse: ReportWarehouse,
  site: ReportSite,
  limit: number,
  now: number,
): Promise<LiveAnswer> {
  const [rows, minutes] = await Promise.all([
    warehouse.select<NowRow>(toNowStatement(site, limit, now)),
    warehouse.select<MinuteRow>(toMinutesStatement(site, now)),
  ]);
  const of = (kind: NowRow['kind']) => rows.filter((row) => row.kind === kind);
  return {
    now: toIso(now),
    visitors: toVisitors(of('all')[0]),
    minutes: toMinutes(minutes, now),
    pages: of('page').map(toRow),
    sources: of('source').map(toRow),
    countries: of('country').map(toRow),
  };
}

function toRow(row: NowRow) {
  return { value: row.value, visitors: toVisitors(row) };
}

function toVisitors(row: NowRow | undefined) {
  return {
    last_5_minutes: Number(row?.last_5 ?? 0),
    last_30_minutes: Number(row?.last_30 ?? 0),
  };
}

/** Minutes in which nothing happened have their row, too. */
function toMinutes(rows: readonly MinuteRow[], now: number) {
  const byMinute = new Map(rows.map((row) => [Number(row.minute), row]));
  return Array.from({ length: MINUTES }, (_, minute) => ({
    starts_at: toIso(now - (MINUTES - minute) * MINUTE_MS),
    visitors: Number(byMinute.get(minute)?.visitors ?? 0),
    pageviews: Number(byMinute.get(minute)?.pageviews ?? 0),
  }));
}
