import type { MetricName } from '#contract/reports/catalog.ts';
import {
  COST,
  CUSTOMERS,
  type Distinct,
  MISSING_COSTS,
  ofAttention,
  ofConversions,
  ofEvents,
  ofPayments,
  ofVisits,
  type Part,
  REVENUE,
  VISITORS,
  VISITS,
  WAYS,
  WHOLE_CREDIT,
} from './metric.ts';

const VISIBLE_MS = 'sum(engagement_ms)';
const paid = (sql: string): readonly Part[] => [ofPayments(sql)];
const FIRST_VISITORS = (distinct: Distinct) => distinct('visitor', 'is_first_visit');

/**
 * The parts of every metric, by its name: of visits and events first, then of payments. Each has a row in
 * docs/metrics.md.
 */
export const METRIC_TABLE = {
  /** Percentage of visits with one pageview and no goal. */
  bounce_rate: [ofVisits('countIf(pageviews = 1 AND goals = 0)'), VISITS],
  /**
   * Percentage of visitors who reached a goal. With event dimensions and filters, it is the share of all
   * visitors of the period who reached *this* goal.
   *
   * Why it may exceed 100 with visit dimensions: a visitor who converts in this period may be credited to a
   * source of an earlier period.
   */
  conversion_rate: [ofConversions(VISITORS.sql), ofVisits(VISITORS.sql, { ignores: 'events' })],
  /**
   * Goals reached in the period, counted every time. With visit dimensions, the attribution model splits
   * them among the visitor's visits.
   */
  conversions: [ofConversions('sum(credit)')],
  /**
   * Average visible time per visit, in whole seconds, as reported by the tracker. With an event dimension
   * or filter, the time on matching pages, per visit with such a page.
   */
  engagement_time: [ofVisits(VISIBLE_MS, { byEvent: ofAttention(VISIBLE_MS) }), VISITS],
  /** Pageviews, goals, outbound clicks and downloads in the period. */
  events: [ofEvents('count()')],
  /**
   * Distinct visitors whose first visit ever began in the period. With visit dimensions, they count in the row of that
   * visit. With an event dimension or filter, only visitors with a matching event in that visit count.
   */
  new_visitors: [
    ofVisits(FIRST_VISITORS, {
      needs: ['first_visit'],
      byEvent: ofEvents(FIRST_VISITORS, { needs: ['first_visit'] }),
    }),
  ],
  /** Pages shown in the period. */
  pageviews: [ofEvents("countIf(type = 'pageview')")],
  /** The row's share of the query's visitors, in percent. */
  percentage: [VISITORS, { ...VISITORS, ignores: 'rows' }],
  /** Average of the greatest scroll depth per visit and page, in percent. */
  scroll_depth: [
    ofAttention(
      'arraySum(mapValues(maxMap(map(cityHash64(visit_id, path), toUInt64(scroll_depth)))))',
    ),
    ofAttention('100 * uniqExactIf((visit_id, path), scroll_depth > 0)'),
  ],
  /** Pageviews per visit, over visits that began in the period. Includes their pageviews after it. */
  views_per_visit: [ofVisits('sum(pageviews)'), VISITS],
  /**
   * Average time from a visit's first event to its last, in whole seconds. Includes visits with a single
   * event (0 seconds).
   */
  visit_duration: [ofVisits('sum(duration_ms)'), VISITS],
  /**
   * Distinct visitors with a visit that began in the period. With an event dimension or filter, distinct
   * visitors with a matching event in the period.
   */
  visitors: [VISITORS],
  /**
   * Visits that began in the period. With an event dimension or filter, only visits with a matching event.
   * A visit with two pages counts in the rows of both.
   */
  visits: [VISITS],
  /** Gross revenue of the period divided by its payments above 0, rounded to the minor unit, halves away from zero. */
  average_order_value: [
    ofPayments(`${WHOLE_CREDIT} * sumIf(shown_minor, kind = 'payment')`),
    ofPayments("sumIf(credit, kind = 'payment' AND raw_minor > 0 AND is_converted = 1)"),
  ],
  /** Money spent on the days that begin in the period, by the source, medium and campaign that it was spent on. */
  cost: [COST],
  /** Cost divided by customers, as `customers` counts them. Null if a cost has no exchange rate. */
  cost_per_customer: [COST, CUSTOMERS, MISSING_COSTS],
  /** Cost divided by visitors. Null if a cost has no exchange rate. */
  cost_per_visitor: [COST, VISITORS, MISSING_COSTS],
  /** Distinct customers with a payment above 0 in the period, in any currency, refunded later or not. */
  customers: [CUSTOMERS],
  /** Money taken back in disputes that began in the period and are open or lost. A positive amount. */
  disputes: paid('sumIf(shown_minor, is_dispute = 1)'),
  /** Payments made in the period that are not renewals, refunded later or not. */
  gross_new_revenue: paid("sumIf(shown_minor, kind != 'refund' AND renewal = 0)"),
  /** Renewals paid in the period, refunded later or not. */
  gross_renewal_revenue: paid("sumIf(shown_minor, kind != 'refund' AND renewal = 1)"),
  /** Payments made in the period, refunded later or not. */
  gross_revenue: paid("sumIf(shown_minor, kind != 'refund')"),
  /** Customers whose first payment ever above 0 was made in the period. */
  new_customers: [ofPayments('sumIf(credit, is_first_payment)', { needs: ['first_payment'] })],
  /** Revenue of payments that are not renewals: payments less refunds and disputes. */
  new_revenue: paid("sumIf(if(kind = 'refund', -shown_minor, shown_minor), renewal = 0)"),
  /** Payments made in the period, in any currency, including renewals, trials and refunded payments. */
  payments: paid("sumIf(credit, kind = 'payment')"),
  /** Refunds made in the period, without disputes, whenever the payment was made. A positive amount. */
  refunds: paid("sumIf(shown_minor, kind = 'refund' AND is_dispute = 0)"),
  /** Revenue of renewals: payments less refunds and disputes. */
  renewal_revenue: paid("sumIf(if(kind = 'refund', -shown_minor, shown_minor), renewal = 1)"),
  /**
   * Revenue of the period divided by its customers, rounded to the minor unit, halves away from zero. Over
   * all time, it is the lifetime value to date.
   */
  revenue_per_customer: [
    REVENUE,
    ofPayments("uniqExactIf(customer, kind = 'payment' AND raw_minor > 0 AND is_converted = 1)", {
      needs: ['customer'],
    }),
  ],
  /** Revenue of the period divided by its visitors, rounded to the minor unit, halves away from zero. */
  revenue_per_visitor: [REVENUE, VISITORS],
  /** Payments less refunds and disputes of the period. May be negative. */
  revenue: [REVENUE],
  /**
   * Return on ad spend: revenue divided by cost, both of the same row, to two decimals. Null without a cost, or if a
   * cost has no exchange rate.
   */
  roas: [REVENUE, COST, MISSING_COSTS],
  /**
   * Average time from the first touch in the lookback window to the first payment above 0, in whole seconds, over
   * new customers of the period with a known touch.
   */
  time_to_purchase: [
    ofPayments('sumIf(toInt128(path_ms) * credit, is_first_payment AND path_visits > 0)', {
      needs: ['first_payment', 'path'],
    }),
    WAYS,
  ],
  /** Payments of 0 made in the period, such as the start of a free trial: of each subscription, the first ever. */
  trials: [ofPayments('sumIf(credit, is_trial)', { needs: ['trial'] })],
  /**
   * Average number of visits in the lookback window before the first payment above 0, over new customers of the
   * period with a known touch.
   */
  visits_to_purchase: [
    ofPayments('sumIf(path_visits * credit, is_first_payment)', {
      needs: ['first_payment', 'path'],
    }),
    WAYS,
  ],
} as const satisfies Readonly<Record<MetricName, readonly Part[]>>;
