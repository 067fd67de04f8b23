import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { readErrors } from '#contract/error.ts';
import type { Fault } from '#contract/fault.ts';
import { LISTED_STATES, ListedPayment, PaymentsAnswer } from '#contract/payments/payment-list.ts';
import { TRANSACTION_ID_EXAMPLE } from '#contract/text.ts';
import { normalizeEmail } from '#domain/identity/normalize-email.ts';
import { parseDay } from '#domain/time/parse-period.ts';
import { paidOn, parseCursor } from '#report/payments/list-payments.ts';
import type { ReportSite } from '#report/ports.ts';
import { RefusedRequest, refuseFaults } from '../answers/errors.ts';
import { keyOf, requireKey } from '../requests/authenticate.ts';
import { readParams, readWhole } from '../requests/read-params.ts';
import type { ReadDeps } from '../server/server-deps.ts';
import type { Server } from '../server/server-type.ts';
import { createNoteBehind, siteOf } from './report-route.ts';
import { isPersonal } from './stories.ts';

const LIMIT_MAX = 500;
const LIMIT = 100;

const Text = (description: string) => Type.Optional(Type.String({ description }));
const LOOKBACK = Text(
  'Only visits at most this many days before a payment get its credit, 1 to 730; any visit by default.',
);
const FILTERS = {
  state: Type.Optional(
    Type.Enum(LISTED_STATES, {
      description:
        'A state or a status. `unattributed` stands for every state in which no visit is credited.',
    }),
  ),
  service_visitor_id: Text('Only payments of this visitor.'),
  customer_id: Text('Only payments of this customer.'),
  email: Text('Only payments with this e-mail address; needs the scope `visitors:read`.'),
  subscription_id: Text('Only payments of this subscription.'),
  from: Text('Only payments made on or after this day in the site’s time zone: `2026-11-01`.'),
  to: Text('Only payments made on or before this day.'),
  totals: Type.Optional(
    Type.Enum(['true'], { description: 'Whether to sum all payments that match the filters.' }),
  ),
  lookback_days: LOOKBACK,
  limit: Text(`Maximum number of payments, 1 to ${LIMIT_MAX}; ${LIMIT} by default.`),
  cursor: Text('The `next_cursor` of the previous page, with the same filters.'),
};
const NAMES = Object.keys(FILTERS) as (keyof typeof FILTERS)[];

/** The path of one payment. */
export const PaymentPath = Type.Object({
  id: Type.String({ description: 'The `transaction_id`.', examples: [TRANSACTION_ID_EXAMPLE] }),
});
/** One payment as an answer. */
export const OnePayment = { ...ListedPayment, description: 'The payment.' };
/** The address of one payment. */
export const PAYMENT_URL = '/api/v1/payments/:id';

/** `GET /api/v1/payments` and `GET /api/v1/payments/{transaction_id}`. */
export function addPaymentListRoutes(server: Server, deps: ReadDeps): void {
  addList(server, deps);
  addOne(server, deps);
}

function addList(server: Server, deps: ReadDeps): void {
  const { keys, sites, listPayments, limitReads } = deps;
  const noteBehind = createNoteBehind(deps.behindSeconds);
  server.route({
    method: 'GET',
    url: '/api/v1/payments',
    onRequest: [requireKey(keys, 'stats:read'), ...limitReads],
    schema: {
      operationId: 'listPayments',
      summary: 'List payments with their states',
      description:
        'Latest paid first. The state is `attributed`, or says why a payment is not; the status says what became of the money. A page may be shorter than `limit` and still have a `next_cursor`, if the state is rare.',
      tags: ['payments'],
      security: [{ key: ['stats:read'] }],
      querystring: Type.Object({ site_id: Text('The key’s own site.'), ...FILTERS }),
      response: { 200: PaymentsAnswer, ...readErrors() },
    },
    async handler(request) {
      const site = siteOf(deps, keyOf(request).siteId);
      const query = readQuery(request, readParams(request, sites, NAMES), site);
      const { results, meta } = await listPayments.list({ ...query, site });
      return noteBehind({ results: await forKey(request, deps, results), meta });
    },
  });
}

function addOne(server: Server, deps: ReadDeps): void {
  const { keys, sites, listPayments, limitReads } = deps;
  server.route({
    method: 'GET',
    url: PAYMENT_URL,
    onRequest: [requireKey(keys, 'stats:read'), ...limitReads],
    schema: {
      operationId: 'findPayment',
      summary: 'Get a payment, by its own id or a refund’s',
      tags: ['payments'],
      security: [{ key: ['stats:read'] }],
      params: PaymentPath,
      querystring: Type.Object({ lookback_days: LOOKBACK }),
      response: { 200: OnePayment, ...readErrors() },
    },
    async handler(request) {
      const faults: Fault[] = [];
      const sent = readParams(request, sites, ['lookback_days']);
      const lookback = readLookback(sent, faults);
      if (faults.length > 0) throw refuseFaults(faults);
      const site = siteOf(deps, keyOf(request).siteId);
      const found = await listPayments.find(site, request.params.id, lookback);
      if (found === undefined) throw unknownPayment(request.params.id);
      const [shown] = await forKey(request, deps, [found]);
      return shown as ListedPayment;
    },
  });
}

/** The error for a payment that the site does not have. */
export function unknownPayment(id: string): RefusedRequest {
  return new RefusedRequest('not_found', `There is no payment ${id}.`);
}

/** Adds who changed the payment, by name. Removes e-mail address and names unless the key may see them. */
export async function forKey(
  request: FastifyRequest,
  { siteStore, accounts }: ReadDeps,
  payments: readonly ListedPayment[],
): Promise<ListedPayment[]> {
  if (!isPersonal(request)) return payments.map(({ email: _, name: __, ...rest }) => rest);
  const { siteId } = keyOf(request);
  const areChanged = payments.some(({ changes }) => changes.length > 0);
  const keys = areChanged ? await siteStore.listKeys(siteId) : [];
  const members = areChanged ? await accounts.members.list(siteId) : [];
  /** The name of a key or member; undefined if it has none, or the member left. */
  const nameOf = (id: string) => {
    const member = members.find(({ userId }) => userId === id);
    return keys.find((each) => each.id === id)?.name || member?.name || member?.email;
  };
  return payments.map((payment) => ({
    ...payment,
    changes: payment.changes.map((each) => {
      const name = nameOf(each.by);
      return name === undefined ? each : { ...each, by_name: name };
    }),
  }));
}

type Sent = { readonly [Name in keyof typeof FILTERS]?: string };

function readQuery(request: FastifyRequest, sent: Sent, site: ReportSite) {
  const faults: Fault[] = [];
  const limit = readWhole('limit', sent.limit, LIMIT_MAX, faults) ?? LIMIT;
  const state = LISTED_STATES.find((each) => each === sent.state);
  if (sent.state !== undefined && state === undefined) {
    faults.push({ path: '/state', message: `must be one of ${LISTED_STATES.join(', ')}` });
  }
  if (sent.totals !== undefined && sent.totals !== 'true') {
    faults.push({ path: '/totals', message: 'must be true' });
  }
  const beyond = sent.cursor === undefined ? undefined : parseCursor(sent.cursor);
  if (sent.cursor !== undefined && beyond === undefined) {
    faults.push({ path: '/cursor', message: 'must be the next_cursor of a previous page' });
  }
  if (sent.email !== undefined && !isPersonal(request)) {
    faults.push({ path: '/email', message: 'needs a key with the scope visitors:read' });
  }
  const [from, to] = (['from', 'to'] as const).map((name) => readDay(name, sent[name], faults));
  if (from && to && Temporal.PlainDate.compare(from, to) > 0) {
    faults.push({ path: '/to', message: 'must not be before from' });
  }
  const lookback = readLookback(sent, faults);
  if (faults.length > 0) throw refuseFaults(faults);
  return {
    ...lookback,
    paid: paidOn([from, to], site),
    filter: {
      customerId: sent.customer_id,
      email: sent.email && normalizeEmail(sent.email),
      visitorId: sent.service_visitor_id,
      subscriptionId: sent.subscription_id,
    },
    ...{ state, withTotals: sent.totals === 'true' },
    limit,
    beyond,
  };
}

function readLookback(sent: Pick<Sent, 'lookback_days'>, faults: Fault[]) {
  return { lookbackDays: readWhole('lookback_days', sent.lookback_days, 730, faults) };
}

function readDay(name: string, text: string | undefined, faults: Fault[]) {
  const day = text === undefined ? undefined : parseDay(text);
  if (text !== undefined && day === undefined) {
    faults.push({ path: `/${name}`, message: 'must be a day such as 2026-11-01' });
  }
  return day;
}
