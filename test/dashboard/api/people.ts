import { type Answers, refuse } from './fake-api.ts';
import type { AnswerOf } from './routes.ts';

const eur = (value: string) => ({ value, currency: 'EUR' });

type Payment = AnswerOf<'GET /api/v1/payments/:id'>;

const GOOGLE = { at: '2026-11-10T09:00:00Z', channel: 'Organic Search', source: 'Google' };

/** Ada's payment, attributed to her first visit. */
export const PAID: Payment = {
  ...{ transaction_id: 'order_ada', state: 'attributed', status: 'paid', amount: eur('40.00') },
  ...{ refunded: eur('0.00'), renewal: false, paid_at: '2026-11-20T10:30:00Z' },
  ...{ service_visitor_id: 'visitor-ada', email: 'ada@customers.example', product: 'Teapot' },
  credited: { visits: 1, first: GOOGLE, last: GOOGLE },
  ...{ refunds: [], changes: [] },
};

/** Cleo's payment, half of which her bank took back. */
export const REFUNDED: Payment = {
  ...PAID,
  ...{ transaction_id: 'order_cleo', status: 'disputed', amount: eur('10.00') },
  ...{ refunded: eur('5.00'), paid_at: '2026-11-28T14:10:00Z', product: 'Tea' },
  ...{ service_visitor_id: 'visitor-cleo', email: 'cleo@customers.example' },
  refunds: [
    {
      ...{ transaction_id: 'refund_1', amount: eur('5.00') },
      ...{ refunded_at: '2026-11-29T08:00:00Z', disputed: true },
    },
  ],
};

const { service_visitor_id: _, email: __, credited: ___, ...unknown } = PAID;

/** A payment of nobody who is known. */
export const UNKNOWN: Payment = {
  ...unknown,
  ...{ transaction_id: 'order_unknown', state: 'no_visitor', amount: eur('5.00') },
  paid_at: '2026-11-25T12:00:00Z',
};

const PAYMENTS = [REFUNDED, UNKNOWN, PAID];

type Person = AnswerOf<'POST /api/v1/query/persons'>['results'][number];

/** Ada, as she is listed. */
export const ADA: Person = {
  ...{ person_id: 'person-ada', visitors: ['visitor-ada'], visits: 2, pageviews: 4 },
  ...{ first_seen_at: '2026-11-10T09:00:00Z', last_seen_at: '2026-11-20T10:30:00Z' },
  ...{ conversions: 1, payments: 1, revenue: eur('40.00') },
  first_visit: { source: 'Google', channel: 'Organic Search' },
  latest_visit: { source: 'Direct', channel: 'Direct', country: 'DE', device: 'desktop' },
  ...{ user_ids: [], customer_ids: ['cus_ada'], emails: ['ada@customers.example'] },
};

const BEN: Person = {
  ...ADA,
  ...{ person_id: 'person-ben', visitors: ['visitor-ben'], visits: 1, pageviews: 1 },
  ...{ conversions: 0, payments: 0, revenue: eur('0.00'), customer_ids: [], emails: [] },
};

const CREDIT = { revenue: eur('0.00'), payments: 0, conversions: 0 };

/** Ada's story: a visit from Google, and one in which she signs up and pays. */
export const STORY: AnswerOf<'GET /api/v1/persons/:id'> = {
  person: {
    ...{ person_id: 'person-ada', visitors: ['visitor-ada'], user_ids: [] },
    ...{ customer_ids: ['cus_ada'], emails: ['ada@customers.example'] },
  },
  totals: {
    ...{ visits: 2, gross_revenue: eur('40.00'), refunds: eur('0.00'), revenue: eur('40.00') },
    ...{ payments: 1, conversions: 1 },
  },
  visits: [
    visit('visit-2', '2026-11-20T10:00:00Z', { source: 'Direct', channel: 'Direct' }, CREDIT, [
      { at: '2026-11-20T10:00:00Z', type: 'pageview', page: '/pay' },
      { at: '2026-11-20T10:10:00Z', type: 'goal', goal: 'signup' },
    ]),
    visit(
      'visit-1',
      '2026-11-10T09:00:00Z',
      { source: 'Google', channel: 'Organic Search' },
      { revenue: eur('40.00'), payments: 1, conversions: 1 },
      [{ at: '2026-11-10T09:00:00Z', type: 'pageview', page: '/' }],
    ),
  ],
  unattributed: CREDIT,
  payments: [
    {
      ...{ type: 'payment', transaction_id: 'order_ada', at: '2026-11-20T10:30:00Z' },
      ...{ amount: eur('40.00'), renewal: false, product: 'Teapot' },
      service_visitor_id: 'visitor-ada',
      credit: [
        {
          ...{ visit_id: 'visit-1', touched_at: '2026-11-10T09:00:00Z' },
          revenue: eur('40.00'),
        },
      ],
    },
  ],
  ...{ goals_of_no_visit: [], identities: [], meta: {} },
  query: {
    date_range: ['2026-10-01T00:00:00+00:00', '2026-12-01T00:00:00+00:00'],
    ...{ timezone: 'UTC', limit: 50, attribution: { model: 'first_touch', lookback_days: null } },
  },
};

function visit(
  visit_id: string,
  at: string,
  values: Record<string, string>,
  credit: typeof CREDIT,
  events: AnswerOf<'GET /api/v1/persons/:id'>['visits'][number]['events'],
): AnswerOf<'GET /api/v1/persons/:id'>['visits'][number] {
  return {
    ...{ visit_id, service_visitor_id: 'visitor-ada', started_at: at, last_event_at: at },
    ...{ pageviews: 1, goals: 0, engagement_seconds: 30, values, credit, events },
    touches: [{ at, values, credit }],
  };
}

const UNDERSTOOD = {
  ...{ site_id: 'tea.example', timezone: 'UTC', filters: [], order_by: [] },
  date_range: ['2026-11-01T00:00:00+00:00', '2026-12-01T00:00:00+00:00'] as [string, string],
  pagination: { limit: 50 },
};

/** The people of the small world, and what they paid. */
export const PEOPLE: Answers = {
  'POST /api/v1/query/persons': ({ body: { search = '' } }) => {
    const found = [ADA, BEN].filter((each) => JSON.stringify(each).includes(search));
    return { results: found, meta: { total_rows: found.length }, query: UNDERSTOOD };
  },
  'GET /api/v1/persons/:id': ({ params: { id } }) =>
    ['person-ada', 'visitor-ada'].includes(id ?? '')
      ? STORY
      : refuse('not_found', 'There is no such person.'),
  'GET /api/v1/visitors/:id/story': STORY,
  'GET /api/v1/payments': ({ search }) => {
    const [state, text] = [search.get('state'), search.get('search') ?? ''];
    const isUnattributed = (each: Payment) => each.credited === undefined;
    const found = PAYMENTS.filter(
      (each) =>
        (state === null ||
          [each.state, each.status].some((one) => one === state) ||
          (state === 'unattributed' && isUnattributed(each))) &&
        (search.get('source') === null || each.credited?.first.source === search.get('source')) &&
        each.transaction_id.includes(text),
    );
    return { results: found, meta: { totals: totalsOf(found) } };
  },
  'GET /api/v1/payments/:id': ({ params: { id } }) =>
    PAYMENTS.find(({ transaction_id }) => transaction_id === id) ??
    refuse('not_found', 'There is no such payment.'),
};

function totalsOf(payments: readonly Payment[]) {
  return payments.map(({ status, amount, refunded }) => ({
    ...{ status, payments: 1, amount, refunded },
  }));
}
