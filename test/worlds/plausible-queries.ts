import type { SentQuery } from '#contract/query.ts';

/** A query of Plausible's documentation, and what its answer has. */
export type PlausibleQuery = {
  readonly about: string;
  readonly query: Omit<SentQuery, 'site_id'>;
  /** Where the answer is a refusal: what its message tells to write. */
  readonly refused?: RegExp;
};

const metrics = (...names: string[]) => names;
const of = (about: string, query: PlausibleQuery['query'], refused?: RegExp): PlausibleQuery =>
  refused === undefined ? { about, query } : { about, query, refused };

/**
 * Every example query of Plausible's Stats API, in their order there, and then one for each further row of
 * its tables of metrics, dimensions, date ranges and operators.
 *
 * - Source: https://plausible.io/docs/stats-api, read on 2026-11-23.
 */
export const PLAUSIBLE_EXAMPLES: readonly PlausibleQuery[] = [
  of('first request', { metrics: ['visitors'], date_range: '7d' }),
  of('aggregate', { metrics: ['visitors', 'events'], date_range: '7d' }),
  of('custom date range', { metrics: ['visitors'], date_range: ['2024-08-01', '2024-08-15'] }),
  of('country and city', {
    metrics: ['visitors', 'pageviews', 'bounce_rate'],
    date_range: '7d',
    filters: [['is_not', 'visit:country_name', ['']]],
    dimensions: ['visit:country_name', 'visit:city_name'],
  }),
  of('UTM medium and source', {
    metrics: ['visitors', 'events', 'pageviews'],
    date_range: '7d',
    dimensions: ['visit:utm_medium', 'visit:utm_source'],
  }),
  of('filtering by page and country', {
    metrics: ['visitors'],
    date_range: '7d',
    filters: [
      ['contains', 'event:page', ['/docs', '/pricing']],
      ['is', 'visit:country_name', ['Estonia', 'United States of America']],
    ],
  }),
  of('case insensitive filtering', {
    metrics: ['visitors'],
    date_range: '7d',
    filters: [['contains', 'event:page', ['blog'], { case_sensitive: false }]],
  }),
  of(
    'filtering by segment',
    {
      metrics: ['visitors', 'events'],
      filters: [['is', 'segment', [2]]],
      date_range: '7d',
    },
    /write the segment’s own filters/,
  ),
  of('time series', {
    metrics: ['visitors', 'events'],
    date_range: '7d',
    filters: [['is', 'visit:os', ['GNU/Linux', 'Mac']]],
    dimensions: ['time:day'],
  }),
  of('time series by hours, with labels', {
    metrics: ['visitors'],
    date_range: 'day',
    dimensions: ['time:hour'],
    include: { time_labels: true },
  }),
  of('custom properties', {
    metrics: ['visitors'],
    date_range: '7d',
    dimensions: ['time:day', 'event:props:is_customer'],
    order_by: [
      ['time:day', 'asc'],
      ['event:props:is_customer', 'desc'],
    ],
  }),
  of('pagination', {
    metrics: ['visitors', 'events', 'pageviews'],
    date_range: '7d',
    dimensions: ['visit:utm_medium', 'visit:utm_source'],
    include: { total_rows: true },
    pagination: { limit: 3, offset: 1 },
  }),
  of('imported data', {
    metrics: ['visitors'],
    date_range: 'all',
    dimensions: ['visit:source'],
    include: { imports: true },
  }),
  of('imported data that cannot be filtered', {
    metrics: ['visitors'],
    date_range: 'all',
    dimensions: ['visit:source'],
    filters: [['is', 'visit:country_name', ['Estonia']]],
    include: { imports: true },
  }),
  of('revenue metrics', {
    metrics: ['total_revenue'],
    date_range: 'all',
    dimensions: ['event:goal'],
  }),
  of('revenue of two currencies', {
    metrics: ['total_revenue'],
    date_range: 'all',
    filters: [['is', 'event:goal', ['PurchaseUSD', 'PurchaseEUR']]],
  }),
  of('behavioral filters', {
    metrics: ['visitors'],
    date_range: 'all',
    filters: [
      ['is', 'event:goal', ['Signup']],
      ['has_done', ['is', 'event:page', ['/pricing']]],
    ],
  }),
  of('every other metric', {
    metrics: metrics(
      ...['visitors', 'visits', 'pageviews', 'views_per_visit', 'bounce_rate', 'visit_duration'],
      ...['events', 'scroll_depth', 'percentage', 'conversion_rate', 'group_conversion_rate'],
      ...['average_revenue', 'total_revenue', 'time_on_page'],
    ),
    date_range: '24h',
    dimensions: ['event:page'],
    filters: [['contains', 'event:goal', ['Signup']]],
    order_by: [['total_revenue', 'desc']],
  }),
  of('group conversion rate', {
    metrics: ['visitors', 'group_conversion_rate'],
    date_range: '28d',
    dimensions: ['visit:country_name'],
    filters: [['is', 'event:goal', ['Register']]],
    order_by: [
      ['group_conversion_rate', 'desc'],
      ['visit:country_name', 'asc'],
    ],
  }),
  of(
    'page goals',
    {
      metrics: ['visitors', 'conversion_rate'],
      date_range: '7d',
      filters: [['is', 'event:goal', ['Visit /docs', 'Signup']]],
    },
    /write \["is","event:page",\["\/docs"\]\]/,
  ),
  of(
    'cities by number',
    {
      metrics: ['visitors'],
      date_range: '7d',
      filters: [['is', 'visit:city', [4347778]]],
    },
    /\["is", "visit:city", \["Berlin"\]\]/,
  ),
  of(
    'regions by code',
    {
      metrics: ['visitors'],
      date_range: '7d',
      filters: [['is', 'visit:region', ['US-MD']]],
    },
    /\["is", "visit:region", \["Bavaria"\]\]/,
  ),
  ...[
    ...['visit:entry_page', 'visit:exit_page', 'visit:source', 'visit:referrer', 'visit:channel'],
    ...['visit:utm_campaign', 'visit:utm_content', 'visit:utm_term', 'visit:device'],
    ...['visit:browser', 'visit:browser_version', 'visit:os', 'visit:os_version', 'visit:country'],
    ...['visit:region', 'visit:city', 'visit:region_name', 'event:goal', 'event:hostname'],
    ...['time', 'time:week', 'time:month'],
  ].map((name) => of(name, { metrics: ['visitors'], date_range: '12mo', dimensions: [name] })),
  ...['28d', '30d', '91d', 'month', '6mo', '12mo', 'year', 'all'].map((word) =>
    of(word, { metrics: ['visitors'], date_range: word }),
  ),
  of('two instants', {
    metrics: ['visitors'],
    date_range: ['2024-01-01T12:00:00+02:00', '2024-01-01T15:59:59+02:00'],
  }),
  ...[
    ['is', 'visit:country_name', ['Germany', 'Poland']],
    ['is_not', 'event:page', ['/pricing']],
    ['contains_not', 'event:page', ['docs', 'pricing']],
    ['matches', 'event:page', ['^/user/\\d+$']],
    ['matches_not', 'event:page', ['^/user/\\d+$']],
    [
      'and',
      [
        ['is', 'visit:country_name', ['Germany']],
        ['is', 'visit:city_name', ['Berlin']],
      ],
    ],
    [
      'or',
      [
        ['is', 'visit:country_name', ['Germany']],
        ['is', 'visit:city_name', ['Tallinn']],
      ],
    ],
    ['not', ['is', 'visit:country_name', ['Germany']]],
    ['has_not_done', ['is', 'event:goal', ['Signup']]],
  ].map((filter) =>
    of(`the filter ${JSON.stringify(filter)}`, {
      metrics: ['visitors'],
      date_range: '7d',
      filters: [filter],
    }),
  ),
];
