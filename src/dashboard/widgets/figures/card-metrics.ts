import { COST_DIMENSIONS, COST_METRICS } from '#contract/reports/catalog.ts';
import type { BucketUnit } from '#domain/time/buckets.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import type { View } from '../../address/address.ts';
import type { ViewedSite } from '../../api/account.ts';
import type { ShownMetric } from '../../format/metrics.ts';

const WITH_MONEY = [
  'revenue',
  'visitors',
  'revenue_per_visitor',
  'conversion_rate',
  'customers',
  'visits',
  'bounce_rate',
  'visit_duration',
] as const satisfies readonly ShownMetric[];

const WITH_COSTS = [
  'revenue',
  'cost',
  'roas',
  'visitors',
  'revenue_per_visitor',
  'conversion_rate',
  'customers',
  'bounce_rate',
] as const satisfies readonly ShownMetric[];

/** What adds up over several sites. */
const COMBINED = [
  'revenue',
  'visitors',
  'revenue_per_visitor',
  'customers',
  'visits',
  'pageviews',
] as const satisfies readonly ShownMetric[];

const COUNTED = ['visitors', 'visits', 'pageviews'] as const;
const WITHOUT_MONEY = [...COUNTED, 'views_per_visit', 'bounce_rate', 'visit_duration'] as const;

/** A site's headline figures, in order; each can be the chart's line. */
export function cardMetricsOf(
  site: Pick<ViewedSite, 'has_payments' | 'has_costs' | 'combined'>,
  view: View,
): readonly ShownMetric[] {
  if (site.combined !== undefined) return site.has_payments ? COMBINED : COUNTED;
  if (mayShowCosts(site, view) && !view.period.endsWith('h')) return WITH_COSTS;
  return site.has_payments ? WITH_MONEY : WITHOUT_MONEY;
}

/** Up to this many days, the chart shows hours. */
const HOURLY_DAYS_MAX = 2;

/** Whether a site has costs that the view's filters leave: a cost has a source and no visit. */
export function mayShowCosts(
  { has_costs }: Pick<ViewedSite, 'has_costs'>,
  { filters }: View,
): boolean {
  return has_costs && filters.every(({ dimension }) => COST_DIMENSIONS.includes(dimension));
}

/** Whether the chart may show a metric: costs are known by day. */
export function mayChart(metric: string, site: Pick<ViewedSite, 'has_costs'>, view: View): boolean {
  if (!COST_METRICS.some((each) => each === metric)) return true;
  const isHourly = (countDays(view) ?? Number.POSITIVE_INFINITY) <= HOURLY_DAYS_MAX;
  return mayShowCosts(site, view) && !isHourly && chosenUnit(view) !== 'hour';
}

type ChartUnit = Exclude<BucketUnit, 'minute'>;

/** The range of period lengths, in days, that each unit suits. */
const SPANS: readonly { readonly unit: ChartUnit; readonly from: number; readonly to: number }[] = [
  { unit: 'hour', from: 0, to: 8 },
  { unit: 'day', from: 2, to: 400 },
  { unit: 'week', from: 14, to: 2_000 },
  { unit: 'month', from: 59, to: Number.POSITIVE_INFINITY },
];

/** The maximum days in the view's period; undefined where it depends on the data. */
export function countDays(view: Pick<View, 'period' | 'from' | 'to'>): number | undefined {
  if (view.period === 'custom') {
    return Math.round((Date.parse(view.to) - Date.parse(view.from)) / DAY_MS) + 1;
  }
  if (view.period === 'all') return undefined;
  if (view.period === 'year') return 366;
  if (view.period.endsWith('month')) return 31;
  const [, count, unit] = /^(\d+)(h|d|mo)$/.exec(view.period) ?? [];
  if (count === undefined || unit === 'h') return 1;
  return unit === 'd' ? Number(count) : Number(count) * 31;
}

/** The units that suit a period of that many days. */
export function unitsFor(days: number | undefined): readonly ChartUnit[] {
  if (days === undefined) return ['day', 'week', 'month'];
  return SPANS.filter(({ from, to }) => days >= from && days <= to).map(({ unit }) => unit);
}

/** The view's unit, if it suits the period. */
export function chosenUnit(view: View): ChartUnit | 'auto' {
  return unitsFor(countDays(view)).find((unit) => unit === view.by) ?? 'auto';
}

/** The query API dimension for buckets of a unit. */
export function timeDimension(unit: ChartUnit | 'auto'): string {
  return unit === 'auto' ? 'time' : `time:${unit}`;
}
