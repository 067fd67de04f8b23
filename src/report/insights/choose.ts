import type { InsightKind } from '#contract/reports/insights.ts';
import { keepDiscoveries } from './chance.ts';
import { sum } from './change.ts';
import { type Candidate, RATES } from './find-candidates.ts';

/** The totals of this week and of usual ones that differences are measured by: visitors, buyers, minor units. */
export type SiteSize = Readonly<Record<'visitors' | 'customers' | 'revenue', number>>;

/** The share of chosen insights that may be chance. Without any effect, as many weeks say something. */
const CHANCE_MAX = 0.05;
/** A smaller difference is not worth knowing, however sure it is. */
const RATIO_MIN = 1.25;
/** Neither is one that concerns less of the site. */
const WEIGHT_MIN = 0.01;
/** Two differences as close as this are of the same people. */
const SAME_WITHIN = 0.2;
const CHOSEN_MAX = 5;
const OF_KIND_MAX = 2;

/** How much a kind matters for its size: money before visitors, news before what is always so. */
const WORTH: Readonly<Record<InsightKind, number>> = {
  ...{ revenue: 3, refunds: 3, disputes: 3, day_revenue: 2 },
  ...{ conversion: 2, goal: 1.5, exits: 1, visitors: 1, day_visitors: 0.8, contrast: 0.5 },
};

/** Where several say the same, the first of these says it. */
const EXACT: readonly string[] = ['visit:campaign', 'visit:source', 'visit:channel', ''];

/** The five that are worth knowing most. Chance is silent, and what concerns few, and what another says already. */
export function chooseInsights(tried: readonly Candidate[], scale: SiteSize): readonly Candidate[] {
  const sure = keepDiscoveries(tried, CHANCE_MAX).filter(isLarge);
  const ranked = sure
    .map((candidate) => ({ candidate, weight: weightOf(candidate, scale) }))
    .filter(({ weight }) => weight >= WEIGHT_MIN)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ candidate }) => candidate);
  const chosen: Candidate[] = [];
  for (const candidate of ranked.map((each) => mostExact(each, ranked))) {
    const isSaid = chosen.some((each) => isSaidBy(each, candidate));
    const ofKind = chosen.filter(({ kind }) => kind === candidate.kind).length;
    if (!isSaid && ofKind < OF_KIND_MAX) chosen.push(candidate);
  }
  return chosen.slice(0, CHOSEN_MAX);
}

/** The value of this week, and the usual one: minor units, a rate, or a count. */
export function valuesOf({ kind, now, usual, amounts }: Candidate): readonly [number, number] {
  if (amounts) return [amounts.now, Math.round(sum(amounts.before) / amounts.before.length)];
  return RATES.has(kind) ? [now.count / now.of, usual.count / usual.of] : [now.count, usual.count];
}

/** Whether the difference is large. Money is beyond all earlier weeks, too, the way its payments went. */
function isLarge(candidate: Candidate): boolean {
  const { amounts, now, usual, kind } = candidate;
  const [value, before] = valuesOf(candidate);
  if (amounts) {
    const isMore = value > Math.max(...amounts.before);
    const isLess = value < Math.min(...amounts.before);
    // Money paid back has no count, and less of it is no news.
    const isMeant = isPaidBack(kind) ? isMore : now.count > usual.count ? isMore : isLess;
    if (!isMeant) return false;
  }
  return Math.max(value, before) >= RATIO_MIN * Math.max(0, Math.min(value, before));
}

function isPaidBack(kind: InsightKind): boolean {
  return kind === 'refunds' || kind === 'disputes';
}

/** How much of the site a difference concerns, times its worth. */
function weightOf(candidate: Candidate, { visitors, customers, revenue }: SiteSize): number {
  const { kind, amounts } = candidate;
  const whole = amounts
    ? revenue
    : kind === 'conversion' || kind === 'contrast'
      ? customers
      : visitors;
  return (WORTH[kind] * Math.abs(differenceOf(candidate))) / Math.max(1, whole);
}

/** What came beyond what is usual: minor units, buyers, or visitors. */
function differenceOf(candidate: Candidate): number {
  const [value, before] = valuesOf(candidate);
  return (value - before) * (RATES.has(candidate.kind) ? candidate.now.of : 1);
}

/** Whether one says what the other does: of the same thing, or of as many of the same people by another name. */
function isSaidBy(one: Candidate, other: Candidate): boolean {
  if (one.dimension === other.dimension && one.value === other.value) {
    return one.dimension !== '' || one.kind === other.kind;
  }
  if (one.kind !== other.kind) return false;
  if (one.dimension !== other.dimension) return isAsLarge(one, other);
  return one.kind === 'contrast' || one.kind === 'conversion';
}

function isAsLarge(one: Candidate, other: Candidate): boolean {
  const [a, b] = [differenceOf(one), differenceOf(other)];
  return Math.abs(a - b) <= SAME_WITHIN * Math.max(Math.abs(a), Math.abs(b));
}

/** Of those that say the same of sources, the most exact name. */
function mostExact(candidate: Candidate, ranked: readonly Candidate[]): Candidate {
  if (candidate.kind !== 'visitors' && candidate.kind !== 'revenue') return candidate;
  const same = ranked.filter((each) => each.kind === candidate.kind && isAsLarge(each, candidate));
  const [exact] = EXACT.slice(0, EXACT.indexOf(candidate.dimension)).flatMap(
    (dimension) => same.find((each) => each.dimension === dimension) ?? [],
  );
  return exact ?? candidate;
}
