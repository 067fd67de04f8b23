import type { MetricValue, QueryAnswer } from '#contract/query.ts';
import type { View } from '../../address/address.ts';
import { useSite, type ViewedSite } from '../../api/account.ts';
import { toCompare, useAnswer } from '../../api/query.ts';
import {
  changeOf,
  formatExact,
  formatMetric,
  isMetric,
  type ShownMetric,
} from '../../format/metrics.ts';
import { toNumber } from '../../format/numbers.ts';
import { Hidden, Words } from '../../ui/layout.tsx';
import { cardMetricsOf, chosenUnit, mayChart, timeDimension } from './card-metrics.ts';

/** What `≈` before a count of people means. */
export const ESTIMATED = 'Estimated within 0.3%, because the period has over a million visits.';

type FigureProps = {
  readonly metric?: ShownMetric | undefined;
  readonly value: MetricValue;
  /** The room for money, in digits. */
  readonly room?: number | undefined;
};

/** A figure in a form that fits; in full on hover and for screen readers. */
export function FigureText({ metric = 'revenue', value, room }: FigureProps) {
  const shown = formatMetric(metric, value, room);
  const exact = formatExact(metric, value);
  if (shown === exact) return shown;
  return (
    <span title={exact}>
      <span aria-hidden="true">{shown}</span>
      <Hidden>{exact}</Hidden>
    </span>
  );
}

type ChangedFigureProps = FigureProps & {
  readonly metric: ShownMetric;
  /** In the compared period; undefined without one. */
  readonly before: MetricValue | undefined;
};

/** A figure, and below it how it changed: `▲ 12.4%`, or `new` after nothing. */
export function ChangedFigure({ before, ...figure }: ChangedFigureProps) {
  return (
    <>
      <FigureText {...figure} />
      <ChangeMark {...figure} before={before} />
    </>
  );
}

/** The metrics of the chart's bars. */
const BARS: readonly ShownMetric[] = ['gross_new_revenue', 'gross_renewal_revenue', 'refunds'];

/**
 * The period's figures by time, and over all of it as `totals`.
 *
 * Why all metrics in one query: the cards, the chart and other widgets share it, and another line needs no request.
 */
export function useFigures(view: View, isEnabled = true) {
  const site = useSite();
  const bars = site.has_payments ? BARS : [];
  const cards = cardMetricsOf(site, view).filter((each) => mayChart(each, site, view));
  const metrics = [...new Set([...cards, ...bars, metricOf(view, site)])];
  const include = { ...toCompare(view), time_labels: true, totals: true };
  const dimensions = [timeDimension(chosenUnit(view))];
  return useAnswer(view, { metrics, dimensions, include }, isEnabled);
}

/** A metric's figure of the whole period, and the one of the compared period. */
export function totalOf(figures: QueryAnswer | undefined, metric: ShownMetric) {
  const row = figures?.totals ?? figures?.results[0];
  const at = figures?.query.metrics.indexOf(metric) ?? -1;
  return { value: row && (row.metrics[at] ?? null), before: row?.comparison?.metrics[at] };
}

/** The metric of the chart's line: the view's, if it exists and the page may show it. */
export function metricOf(view: View, site: ViewedSite): ShownMetric {
  const { metric } = view;
  const isCard = cardMetricsOf(site, view).some((each) => each === metric);
  const isWhole = site.shared === undefined && site.combined === undefined;
  const isShown = mayChart(metric, site, view) && (isWhole || isCard);
  return isShown && isMetric(metric) ? metric : 'visitors';
}

type ChangeTextProps = { readonly change: ReturnType<typeof changeOf> };

/** How a figure changed, in the colour of whether that is good. */
export function ChangeText({ change }: ChangeTextProps) {
  if (change === undefined) return null;
  const { mood, text } = change;
  const look = ['tiny', mood === 'same' ? 'soft' : mood] as const;
  return (
    <Words as="em" look={look} style={{ fontStyle: 'normal' }}>
      {text}
    </Words>
  );
}

function ChangeMark({ metric, value, before }: ChangedFigureProps) {
  if (before === undefined || before === null || value === null) return null;
  const change = changeOf(metric, toNumber(value), toNumber(before));
  return (
    <small style={{ display: 'block', lineHeight: '13px' }}>
      {change ? <ChangeText change={change} /> : <Words look={['soft', 'tiny']}>new</Words>}
    </small>
  );
}
