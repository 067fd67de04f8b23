import { COST_DIMENSIONS } from '#contract/reports/catalog.ts';
import type { View } from '../../address/address.ts';
import type { ViewedSite } from '../../api/account.ts';
import { chosenUnit, countDays } from './units.ts';

/** Up to this many days, the chart shows hours. */
const HOURLY_DAYS_MAX = 2;

/** Whether a site has costs that the view's filters leave: a cost has a source and no visit. */
export function mayShowCosts(
  { has_costs }: Pick<ViewedSite, 'has_costs'>,
  { filters }: View,
): boolean {
  return has_costs && filters.every(({ dimension }) => COST_DIMENSIONS.includes(dimension));
}

/** Whether the chart and its figures may, too: costs are known by day. */
export function mayChartCosts(site: Pick<ViewedSite, 'has_costs'>, view: View): boolean {
  const isHourly = (countDays(view) ?? Number.POSITIVE_INFINITY) <= HOURLY_DAYS_MAX;
  return mayShowCosts(site, view) && !isHourly && chosenUnit(view) !== 'hour';
}
