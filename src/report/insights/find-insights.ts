import type { Money } from '#contract/query-fields.ts';
import type { Insight, InsightKind, InsightsAnswer } from '#contract/reports/insights.ts';
import { asShown, type ReportSite } from '../ports.ts';
import { toMoney } from '../query/shape/to-answer-row.ts';
import { sum } from './change.ts';
import { chooseInsights, type SiteSize, valuesOf } from './choose.ts';
import { type Candidate, findCandidates, RATES } from './find-candidates.ts';
import { type AskSite, type ObservedWeek, observe } from './observe.ts';
import { say } from './say.ts';
import { WEEKS } from './weeks.ts';

/**
 * Finds what is worth knowing of a site's last seven whole days, compared with up to eight weeks before.
 *
 * - `now` is in milliseconds, UTC. Throws if `ask` does.
 */
export async function findInsights(
  ask: AskSite,
  site: ReportSite,
  now: number,
): Promise<InsightsAnswer> {
  const observed = await observe(ask, site, now);
  const { currency } = asShown(site);
  const [week = NO_WEEK, ...before] = observed.weeks;
  const scale = scaleOf(observed.weeks);
  const isEnough = before.length >= WEEKS.min;
  const chosen = isEnough ? chooseInsights(findCandidates(observed), scale) : [];
  const saying = {
    money: (minor: number) => formatMoney(toMoney(BigInt(minor), currency)),
    ...{ revenue: totalOf(week, 'revenue'), weeks: before.length },
  };
  return {
    results: chosen.map((candidate) => ({
      ...{ kind: candidate.kind, sentence: say(candidate, saying) },
      ...toValues(candidate, currency),
      ...{ chance: candidate.chance, query: toQuery(candidate, week) },
    })),
    week: [week.from, week.to],
    compared_with: isEnough ? [before.at(-1)?.from ?? '', before[0]?.to ?? ''] : null,
    ...{ weeks: before.length, weeks_needed: WEEKS.min, meta: {} },
  };
}

const NO_WEEK: ObservedWeek = { from: '', to: '', tables: new Map() };

/** The larger of this week's total and a usual one, so that what is gone has a size, too. */
function scaleOf([week = NO_WEEK, ...before]: readonly ObservedWeek[]): SiteSize {
  const of = (metric: string) => {
    const earlier = sum(before.map((each) => totalOf(each, metric)));
    return Math.max(totalOf(week, metric), earlier / Math.max(1, before.length));
  };
  return { visitors: of('visitors'), customers: of('new_customers'), revenue: of('revenue') };
}

function totalOf({ tables }: ObservedWeek, metric: string): number {
  return tables.get('')?.get('')?.[metric] ?? 0;
}

function toValues(candidate: Candidate, currency: string): Pick<Insight, 'value' | 'usual'> {
  const [value, usual] = valuesOf(candidate).map((each) => {
    if (candidate.amounts) return toMoney(BigInt(each), currency);
    return RATES.has(candidate.kind) ? round(100 * each) : round(each);
  });
  return { value: value ?? null, usual: usual ?? null };
}

function round(value: number): number {
  return Math.round(100 * value) / 100;
}

/** The metrics that each kind is made of. */
const METRICS: Readonly<Record<InsightKind, readonly string[]>> = {
  visitors: ['visitors'],
  revenue: ['revenue', 'payments'],
  goal: ['conversions'],
  refunds: ['refunds'],
  disputes: ['disputes'],
  conversion: ['new_customers', 'visitors'],
  contrast: ['new_customers', 'visitors'],
  exits: ['visits'],
  day_visitors: ['visitors'],
  day_revenue: ['revenue', 'payments'],
};

/** The query whose answer has the candidate's figures. */
function toQuery(
  { kind, dimension, value }: Candidate,
  { from, to }: ObservedWeek,
): Insight['query'] {
  const isDay = dimension === 'time:day';
  const by = kind === 'exits' ? 'visit:exit_page' : dimension;
  return {
    metrics: [...METRICS[kind]],
    date_range: isDay ? [value, value] : [from, to],
    filters: isDay || dimension === '' ? [] : [['is', by, [value]]],
  };
}

/** `$1,240`, `$12.50`. */
function formatMoney({ value, currency }: Money): string {
  const isLarge = Math.abs(Number(value)) >= 1_000;
  return new Intl.NumberFormat('en', {
    ...{ style: 'currency', currency, currencyDisplay: 'narrowSymbol' },
    ...(isLarge && { maximumFractionDigits: 0 }),
  })
    .format(value as Intl.StringNumericLiteral)
    .replace('-', '−');
}
