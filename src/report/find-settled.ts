import { findCounted, toRuns } from '#warehouse/settle-counts.ts';
import { findVisitDays } from '#warehouse/visit-days.ts';
import {
  asOfDays,
  createFindOpenPayers,
  type FindOpenPayers,
  findPayersRun,
} from './find-first-visits.ts';
import type { RecallingWarehouse } from './ports.ts';
import type { Question, Span } from './question.ts';

const DAY_MS = 86_400_000;
/** Days in between that are not settled break a statement up; so many pieces it may have. */
const SPANS_MAX = 4;
/** A dashboard's questions come together. Facts take about as long from their answer to the warehouse. */
const KNOWN_FOR_MS = 1_000;
const SITES_MAX = 10_000;

/** What of a site's days is settled, as a question is told. */
export type Settled = Required<Pick<Question, 'settled' | 'counted'>> &
  Pick<Question, 'firstVisits'>;

/** Finds it. Throws when the warehouse does not answer. */
export type FindSettled = (warehouse: RecallingWarehouse, siteId: string) => Promise<Settled>;

/**
 * Finds spans of whole days that `settled_visits` holds as `visits` does (warehouse/settle-visits.ts), and
 * the days whose visitors are counted ahead (warehouse/settle-counts.ts).
 *
 * Why this may be a second old: rows stay there for an hour after their day has changed, so that an answer
 * is of one instant or another, and never of half of one.
 */
export function createFindSettled(knownForMs = KNOWN_FOR_MS): FindSettled {
  const known = new Map<string, { readonly until: number; readonly days: Promise<Settled> }>();
  const findOpenPayers = createFindOpenPayers();
  return (warehouse, siteId) => {
    const now = performance.now();
    const before = known.get(siteId);
    if (before !== undefined && before.until > now) return before.days;
    if (known.size >= SITES_MAX) known.clear();
    const days = findDays(warehouse, siteId, findOpenPayers);
    known.set(siteId, { until: now + knownForMs, days });
    days.catch(() => known.delete(siteId));
    return days;
  };
}

async function findDays(
  warehouse: RecallingWarehouse,
  siteId: string,
  findOpenPayers: FindOpenPayers,
): Promise<Settled> {
  const findKept = async () => {
    const run = await findPayersRun(warehouse, siteId);
    return run && { run, openPayers: await findOpenPayers(warehouse, siteId, run) };
  };
  const recalled = { select: warehouse.recall };
  const [days, counted, kept] = await Promise.all([
    findVisitDays(recalled, siteId),
    findCounted(recalled, siteId),
    findKept(),
  ]);
  const settled = days.filter(({ isSettled }) => isSettled).map(({ day }) => day);
  return {
    settled: longest(toSpans(settled)),
    counted: toRuns(days, counted),
    firstVisits: kept && asOfDays(kept.run, days, kept.openPayers),
  };
}

function toSpans(days: readonly number[]): Span[] {
  const spans: Span[] = [];
  for (const day of days) {
    const [startsAt, endsAt] = [day * DAY_MS, (day + 1) * DAY_MS];
    const last = spans.at(-1);
    if (last?.endsAt === startsAt) spans[spans.length - 1] = { ...last, endsAt };
    else spans.push({ startsAt, endsAt });
  }
  return spans;
}

function longest(spans: readonly Span[]): Span[] {
  const length = ({ startsAt, endsAt }: Span) => endsAt - startsAt;
  return spans
    .toSorted((a, b) => length(b) - length(a))
    .slice(0, SPANS_MAX)
    .toSorted((a, b) => a.startsAt - b.startsAt);
}
