/** The panels that a shared link can show, and the dimensions of each. */
export const SHARE_PANELS = {
  /** The cards and the chart: totals and time series. */
  figures: ['time', 'time:hour', 'time:day', 'time:week', 'time:month'],
  channels: ['visit:channel'],
  sources: ['visit:source'],
  campaigns: ['visit:campaign'],
  referrers: ['visit:referrer'],
  pages: ['event:page'],
  entry: ['visit:entry_page'],
  exit: ['visit:exit_page'],
  countries: ['visit:country'],
  regions: ['visit:region'],
  cities: ['visit:city'],
  goals: ['event:goal'],
  devices: ['visit:device'],
  browsers: ['visit:browser'],
  systems: ['visit:os'],
  hours: ['time:hour'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** One of {@link SHARE_PANELS}. */
export type SharePanel = keyof typeof SHARE_PANELS;

/** The names of {@link SHARE_PANELS}, in their order. */
export const SHARE_PANEL_NAMES = Object.keys(SHARE_PANELS) as SharePanel[];

/** The metrics of the cards and the chart. Money metrics require a link that shows revenue. */
export const SHARED_FIGURES = {
  people: [
    ...['visitors', 'visits', 'pageviews', 'views_per_visit', 'bounce_rate', 'visit_duration'],
    'conversion_rate',
  ],
  money: [
    ...['revenue', 'revenue_per_visitor', 'customers', 'refunds', 'gross_revenue'],
    ...['gross_new_revenue', 'gross_renewal_revenue'],
  ],
} as const satisfies Metrics;

/** The metrics of the panels' rows. Money metrics require a link that shows revenue. */
export const SHARED_COLUMNS = {
  people: [
    ...['visitors', 'visits', 'pageviews', 'views_per_visit', 'new_visitors', 'bounce_rate'],
    ...['visit_duration', 'engagement_time', 'scroll_depth', 'events', 'conversions'],
    'conversion_rate',
  ],
  money: [
    ...['revenue', 'revenue_per_visitor', 'gross_revenue', 'refunds', 'new_revenue'],
    ...['renewal_revenue', 'payments', 'trials', 'customers', 'new_customers'],
    ...['average_order_value', 'revenue_per_customer', 'time_to_purchase', 'visits_to_purchase'],
  ],
} as const satisfies Metrics;

type Metrics = { readonly people: readonly string[]; readonly money: readonly string[] };

/** The metrics that a link may show. */
export function sharedMetrics({ people, money }: Metrics, hasRevenue: boolean): readonly string[] {
  return hasRevenue ? [...people, ...money] : people;
}

/** The header in which a shared page sends its link's token. */
export const SHARE_HEADER = 'x-share-token';
