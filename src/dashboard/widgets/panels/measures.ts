import type { ShownMetric } from '../../format/metrics.ts';

/** What a panel compares: its columns and their bars. */
export type Measure = {
  readonly label: string;
  /** The columns; the first is the pale bar. */
  readonly metrics: readonly [ShownMetric, ShownMetric, ShownMetric];
  /** Short column headers. */
  readonly heads: readonly [string, string, string];
  /** The default sort column. */
  readonly main: ShownMetric;
  /** The second bar. */
  readonly bar?: 'money' | 'count';
};

/** What panels can compare, by the name in the URL. */
export const MEASURES = {
  revenue: {
    label: 'Revenue',
    metrics: ['visitors', 'revenue', 'revenue_per_visitor'],
    heads: ['Visitors', 'Revenue', 'Per visitor'],
    main: 'revenue',
    bar: 'money',
  },
  spend: {
    label: 'Spend',
    metrics: ['cost', 'revenue', 'roas'],
    heads: ['Cost', 'Revenue', 'ROAS'],
    main: 'cost',
    bar: 'money',
  },
  conversions: {
    label: 'Conversions',
    metrics: ['visitors', 'conversions', 'conversion_rate'],
    heads: ['Visitors', 'Conversions', 'Rate'],
    main: 'conversions',
    bar: 'count',
  },
  visitors: {
    label: 'Visitors',
    metrics: ['visitors', 'pageviews', 'bounce_rate'],
    heads: ['Visitors', 'Pageviews', 'Bounce'],
    main: 'visitors',
  },
} as const satisfies Readonly<Record<string, Measure>>;

/** One of {@link MEASURES}. */
export type MeasureName = keyof typeof MEASURES;

/** A measure by name. */
export function measureOf(name: MeasureName): Measure {
  return MEASURES[name];
}
