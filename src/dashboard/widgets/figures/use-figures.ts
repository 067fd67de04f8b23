import { COST_METRICS } from '#contract/reports/catalog.ts';
import type { View } from '../../address/address.ts';
import { useSite, type ViewedSite } from '../../api/account.ts';
import { toCompare, useAnswer } from '../../api/query.ts';
import { isMetric, type ShownMetric } from '../../format/metrics.ts';
import { cardMetricsOf } from './card-metrics.ts';
import { mayChartCosts } from './may-show-costs.ts';
import { chosenUnit, timeDimension } from './units.ts';

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
  const metrics = [...new Set([...cardMetricsOf(site, view), ...bars, metricOf(view, site)])];
  const include = { ...toCompare(view), time_labels: true, totals: true };
  const dimensions = [timeDimension(chosenUnit(view))];
  return useAnswer(view, { metrics, dimensions, include }, isEnabled);
}

/** The metric of the chart's line: the view's, if it exists and the page may show it. */
export function metricOf(view: View, site: ViewedSite): ShownMetric {
  const { metric } = view;
  const isCard = cardMetricsOf(site, view).some((each) => each === metric);
  const isOfCosts = COST_METRICS.some((each) => each === metric);
  const isShown = isOfCosts ? mayChartCosts(site, view) : site.shared === undefined || isCard;
  return isShown && isMetric(metric) ? metric : 'visitors';
}
