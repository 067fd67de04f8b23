/**
 * The unit of a metric, which decides how it is computed and formatted: a count; a count that attribution may split,
 * to four decimals; an average, percentage or ratio of money, which may be null; whole seconds; or minor units of the
 * site's currency.
 */
export type Unit = 'count' | 'credit' | 'average' | 'percent' | 'ratio' | 'seconds' | 'money';

/** A metric's unit, what people call it, and which way is good. */
export type MetricForm = {
  readonly unit: Unit;
  readonly label: string;
  readonly isLessBetter?: boolean;
};

/** Every metric of the query API, in the order in which people see them. */
export const METRIC_FORMS = {
  revenue: { unit: 'money', label: 'Revenue' },
  cost: { unit: 'money', label: 'Cost', isLessBetter: true },
  roas: { unit: 'ratio', label: 'ROAS' },
  visitors: { unit: 'count', label: 'Visitors' },
  revenue_per_visitor: { unit: 'money', label: 'Revenue / visitor' },
  conversion_rate: { unit: 'percent', label: 'Conversion rate' },
  customers: { unit: 'count', label: 'Customers' },
  bounce_rate: { unit: 'percent', label: 'Bounce rate', isLessBetter: true },
  visit_duration: { unit: 'seconds', label: 'Visit duration' },
  visits: { unit: 'count', label: 'Visits' },
  pageviews: { unit: 'count', label: 'Pageviews' },
  views_per_visit: { unit: 'average', label: 'Views / visit' },
  new_visitors: { unit: 'count', label: 'New visitors' },
  engagement_time: { unit: 'seconds', label: 'Time on page' },
  scroll_depth: { unit: 'percent', label: 'Scroll depth' },
  events: { unit: 'count', label: 'Events' },
  conversions: { unit: 'credit', label: 'Conversions' },
  gross_revenue: { unit: 'money', label: 'Gross revenue' },
  gross_new_revenue: { unit: 'money', label: 'New revenue, gross' },
  gross_renewal_revenue: { unit: 'money', label: 'Renewals, gross' },
  refunds: { unit: 'money', label: 'Refunds', isLessBetter: true },
  disputes: { unit: 'money', label: 'Disputes', isLessBetter: true },
  new_revenue: { unit: 'money', label: 'New revenue' },
  renewal_revenue: { unit: 'money', label: 'Renewals' },
  payments: { unit: 'credit', label: 'Payments' },
  trials: { unit: 'credit', label: 'Trials' },
  new_customers: { unit: 'credit', label: 'New customers' },
  average_order_value: { unit: 'money', label: 'Average order' },
  revenue_per_customer: { unit: 'money', label: 'Revenue / customer' },
  cost_per_visitor: { unit: 'money', label: 'Cost / visitor', isLessBetter: true },
  cost_per_customer: { unit: 'money', label: 'Cost / customer', isLessBetter: true },
  time_to_purchase: { unit: 'seconds', label: 'Time to purchase', isLessBetter: true },
  visits_to_purchase: { unit: 'average', label: 'Visits to purchase', isLessBetter: true },
  percentage: { unit: 'percent', label: 'Share of visitors' },
} as const satisfies Readonly<Record<string, MetricForm>>;

/** The name of a metric. */
export type MetricName = keyof typeof METRIC_FORMS;

/** The metrics of costs: only by {@link COST_DIMENSIONS} and days. */
export const COST_METRICS: readonly MetricName[] = [
  ...(['cost', 'roas', 'cost_per_visitor', 'cost_per_customer'] as const),
];

/** The dimensions that a cost has, besides time. */
export const COST_DIMENSIONS: readonly string[] = [
  ...['visit:source', 'visit:medium', 'visit:campaign', 'visit:channel'],
  ...['visitor:first_source', 'visitor:first_campaign', 'visitor:first_channel'],
];

/** Every dimension of the query API, except custom parameters (`event:props:NAME`), in the order of menus, and what people call it. */
export const DIMENSION_LABELS = {
  'visit:channel': 'Channel',
  'visit:source': 'Source',
  'visit:referrer': 'Referrer',
  'visit:campaign': 'Campaign',
  'visit:medium': 'Medium',
  'visit:term': 'Term',
  'visit:content': 'Content',
  'visit:click_id': 'Click id',
  'event:page': 'Page',
  'visit:entry_page': 'Entry page',
  'visit:exit_page': 'Exit page',
  'event:hostname': 'Host',
  'event:title': 'Title',
  'event:goal': 'Goal',
  'event:outbound': 'Outbound link',
  'event:download': 'Download',
  'visit:country': 'Country',
  'visit:region': 'Region',
  'visit:city': 'City',
  'visit:language': 'Language',
  'visit:device': 'Device',
  'visit:browser': 'Browser',
  'visit:browser_version': 'Browser version',
  'visit:os': 'System',
  'visit:os_version': 'System version',
  'visit:screen_size': 'Screen size',
  'visitor:first_channel': 'First channel',
  'visitor:first_source': 'First source',
  'visitor:first_campaign': 'First campaign',
  'visit:bot': 'Bot',
  'visit:bot_class': 'Class of bot',
  'visit:country_name': 'Country by name',
  'visitor:cohort_month': 'Month of the first visit',
  'visitor:cohort_week': 'Week of the first visit',
  'event:property': 'Property',
  'payment:country': 'Country of the payer',
  'payment:currency': 'Currency',
  'payment:product': 'Product',
  'payment:provider': 'Provider',
  'payment:renewal': 'Renewal',
  time: 'Time',
  'time:minute': 'Minute',
  'time:hour': 'Hour',
  'time:day': 'Day',
  'time:week': 'Week',
  'time:month': 'Month',
} as const satisfies Readonly<Record<string, string>>;

/** The name of a dimension. */
export type DimensionName = keyof typeof DIMENSION_LABELS;
