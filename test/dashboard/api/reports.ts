import type { Answers } from './fake-api.ts';

const RANGE: [string, string] = ['2026-11-01T00:00:00+00:00', '2026-12-01T00:00:00+00:00'];
const UNDERSTOOD = {
  site_id: 'tea.example',
  ...{ date_range: RANGE, timezone: 'UTC', filters: [] },
};
const eur = (value: string) => ({ value, currency: 'EUR' });
const NOTHING = { members: 0, active: 0, rate: null };

/** The reports of the small world. Ada went from `/` over a sign-up to a payment; Ben and Cleo left at once. */
export const REPORTS: Answers = {
  'POST /api/v1/query/funnel': ({ body: { steps, dimensions = [] } }) => {
    const reached = [3, 1, 1];
    const figures = steps.map((_, index) => {
      const [before, now = 1, after] = [reached[index - 1], reached[index], reached[index + 1]];
      const isLast = index === steps.length - 1;
      return {
        reached: now,
        conversion_rate: (now / 3) * 100,
        step_conversion_rate: before === undefined ? 100 : (now / before) * 100,
        dropped_off: isLast ? null : now - (after ?? now),
        drop_off_rate: isLast ? null : ((now - (after ?? now)) / now) * 100,
        median_seconds: before === undefined ? null : 3_600,
        median_seconds_from_start: before === undefined ? null : 7_200,
      };
    });
    return {
      results: [
        { dimensions: dimensions.map(() => 'desktop'), steps: figures, revenue: eur('40.00') },
      ],
      meta: { total_rows: 1 },
      query: { ...UNDERSTOOD, steps, dimensions, within: { days: 30 }, by: 'person', limit: 100 },
    };
  },
  'POST /api/v1/query/journeys': ({ body: { after = [], from = { type: 'visit' } } }) => {
    const row = { other: 0, revenue: eur('40.00') };
    const [front, teas] = [
      { type: 'page', path: '/' },
      { type: 'page', path: '/teas' },
    ] as const;
    const isFollowed = after.length > 0;
    const isNowhere = from.type === 'page' && from.path === '/nowhere';
    const nobody = { ...row, path: [], reached: 0, share: 0, ended: 0 };
    return {
      results: isNowhere
        ? [nobody]
        : [
            { ...row, path: [], reached: isFollowed ? 3 : 4, share: 100, ended: 0 },
            ...(isFollowed ? [] : [{ ...row, path: [front], reached: 3, share: 75, ended: 2 }]),
            { ...row, path: isFollowed ? [teas] : [front, teas], reached: 1, share: 25, ended: 1 },
          ],
      meta: {},
      query: {
        ...{ ...UNDERSTOOD, from, after, fold: [], depth: 3, breadth: 5 },
        ...{ within: 'visit', by: 'person' },
      },
    };
  },
  'POST /api/v1/query/retention': ({ body: { unit = 'week' } }) => ({
    results: [
      {
        ...{ cohort: unit === 'week' ? '2026-11-09' : '2026-11-01', size: 1 },
        periods: [
          { active: 1, rate: 100, is_complete: true },
          { active: 1, rate: 100, is_complete: true },
          { active: 0, rate: null, is_complete: false },
        ],
      },
    ],
    overall: {
      size: 3,
      periods: [{ members: 3, active: 3, rate: 100 }, { members: 2, active: 1, rate: 50 }, NOTHING],
    },
    meta: {},
    query: {
      ...{ ...UNDERSTOOD, unit, periods: 13 },
      ...{ cohort: 'first_visit', measure: 'activity', by: 'person' },
    },
  }),
  'POST /api/v1/query/ltv': {
    results: [
      {
        ...{ group: '2026-10-01', size: 1 },
        months: [{ members: 1, revenue: eur('20.00'), revenue_per_member: eur('20.00') }],
      },
      { group: '2026-11-01', size: 2, months: [null] },
    ],
    overall: {
      size: 3,
      months: [{ members: 1, revenue: eur('20.00'), revenue_per_member: eur('20.00') }],
    },
    meta: { total_rows: 2 },
    query: {
      ...{ ...UNDERSTOOD, cohort: 'first_payment', group_by: 'cohort_month' },
      ...{ months: 12, limit: 100 },
    },
  },
  'POST /api/v1/query/mrr': {
    results: [
      {
        ...{ month: '2026-11-01', start: eur('10.00'), new: eur('5.00'), expansion: eur('0.00') },
        ...{ reactivated: eur('0.00'), contraction: eur('0.00'), churned: eur('0.00') },
        end: eur('15.00'),
        customers: {
          ...{ start: 1, new: 1, expanded: 0, reactivated: 0 },
          ...{ contracted: 0, churned: 0, end: 2 },
        },
        ...{ customer_churn_rate: null, revenue_churn_rate: null, net_revenue_retention: null },
        is_complete: false,
      },
    ],
    meta: {},
    query: UNDERSTOOD,
  },
  'POST /api/v1/query/purchase-paths': {
    results: [
      {
        ...{ dimensions: [], customers: 2, revenue: eur('45.00') },
        time: {
          ...{ median: 432_000, p90: 864_000 },
          buckets: [{ from: 0, below: null, customers: 2, revenue: eur('45.00') }],
        },
        visits: {
          ...{ median: 1.5, p90: 2 },
          buckets: [{ from: 1, below: null, customers: 2, revenue: eur('45.00') }],
        },
        unknown: { customers: 0, revenue: eur('0.00') },
      },
    ],
    meta: { total_rows: 1 },
    query: {
      ...{ ...UNDERSTOOD, dimensions: [], time_bounds: [], visit_bounds: [], limit: 100 },
      attribution: { model: 'first_touch', lookback_days: null },
    },
  },
  'GET /api/v1/live': {
    now: '2026-11-30T12:00:00Z',
    visitors: { last_5_minutes: 1, last_30_minutes: 2 },
    minutes: [{ starts_at: '2026-11-30T11:59:00Z', visitors: 1, pageviews: 1 }],
    pages: [{ value: '/teas', visitors: { last_5_minutes: 1, last_30_minutes: 2 } }],
    sources: [{ value: 'Google', visitors: { last_5_minutes: 1, last_30_minutes: 1 } }],
    countries: [{ value: 'DE', visitors: { last_5_minutes: 1, last_30_minutes: 1 } }],
  },
  'GET /api/v1/live/stream': () =>
    new Response(': hello\n\n', { headers: { 'content-type': 'text/event-stream' } }),
  'GET /api/v1/drops': {
    results: [{ hour: '2026-11-29T10:00:00Z', reason: 'hostname_not_allowed', count: 3 }],
    samples: [],
  },
};
