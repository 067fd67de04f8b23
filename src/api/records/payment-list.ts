import type { FastifyRequest } from 'fastify';
import type { Fault } from '#contract/fault.ts';
import {
  LISTED_STATES,
  type ListedPayment,
  OnePayment,
  OnePaymentParams,
  PAYMENT_LIMIT,
  PAYMENT_PARAMS,
  PaymentPath,
  PaymentsAnswer,
  PaymentsParams,
} from '#contract/payments/payment-list.ts';
import { normalizeEmail } from '#domain/identity/normalize-email.ts';
import { parseDay } from '#domain/time/parse-period.ts';
import { type ListPayments, paidOn, parsePaymentsCursor } from '#report/payments/list-payments.ts';
import type { ReportSite } from '#report/ports.ts';
import { RefusedRequest, refuseFaults } from '#server/errors/errors.ts';
import { keyOf } from '#server/requests/authenticate.ts';
import { readParams, readWhole } from '#server/requests/read-params.ts';
import type { Server } from '#server/server-type.ts';
import { addKeyRoute } from '../key-route.ts';
import { createNoteBehind, type QueryAccess, siteOf } from '../queries/report-route.ts';
import { isPersonal } from '../queries/stories.ts';

const NAMES = Object.keys(PAYMENT_PARAMS) as (keyof typeof PAYMENT_PARAMS)[];

/** The names of the keys and members of a site, by their ids. */
export type FindNames = (siteId: string) => Promise<ReadonlyMap<string, string>>;

/** What lists payments, and names who has changed them. */
export type PaymentListDeps = QueryAccess & {
  readonly listPayments: ListPayments;
  readonly findNames: FindNames;
};

/** `GET /api/v1/payments` and `GET /api/v1/payments/{transaction_id}`. */
export function addPaymentListRoutes(server: Server, deps: PaymentListDeps): void {
  const { keys, sites, listPayments, findNames, limitReads } = deps;
  const noteBehind = createNoteBehind(deps.behindSeconds);
  addKeyRoute(server, keys, 'GET /api/v1/payments', 'stats:read', {
    operation: ['listPayments', 'List payments with their states'],
    description:
      'Latest paid first. The state is `attributed`, or says why a payment is not; the status says what became of the money. A page may be shorter than `limit` and still have a `next_cursor`, if the state is rare.',
    tags: ['payments'],
    querystring: PaymentsParams,
    answer: PaymentsAnswer,
    limits: limitReads,
    async handle({ request, siteId }) {
      const site = siteOf(deps, siteId);
      const query = readQuery(request, readParams(request, sites, NAMES), site);
      const { results, meta } = await listPayments.list({ ...query, site });
      return noteBehind({ results: await forKey(request, findNames, results), meta });
    },
  });
  addKeyRoute(server, keys, 'GET /api/v1/payments/:id', 'stats:read', {
    operation: ['findPayment', 'Get a payment, by its own id or a refund’s'],
    tags: ['payments'],
    params: PaymentPath,
    querystring: OnePaymentParams,
    answer: OnePayment,
    limits: limitReads,
    async handle({ request, siteId, params: { id } }) {
      const faults: Fault[] = [];
      const sent = readParams(request, sites, ['lookback_days']);
      const lookback = readLookback(sent, faults);
      if (faults.length > 0) throw refuseFaults(faults);
      const found = await listPayments.find(siteOf(deps, siteId), id, lookback);
      if (found === undefined) throw unknownPayment(id);
      const [shown] = await forKey(request, findNames, [found]);
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
  findNames: FindNames,
  payments: readonly ListedPayment[],
): Promise<ListedPayment[]> {
  if (!isPersonal(request)) return payments.map(({ email: _, name: __, ...rest }) => rest);
  const areChanged = payments.some(({ changes }) => changes.length > 0);
  const names = areChanged ? await findNames(keyOf(request).siteId) : undefined;
  return payments.map((payment) => ({
    ...payment,
    changes: payment.changes.map((each) => {
      const name = names?.get(each.by); // None if a member has left.
      return name === undefined ? each : { ...each, by_name: name };
    }),
  }));
}

type Sent = { readonly [Name in keyof typeof PAYMENT_PARAMS]?: string };

function readQuery(request: FastifyRequest, sent: Sent, site: ReportSite) {
  const faults: Fault[] = [];
  const limit =
    readWhole('limit', sent.limit, PAYMENT_LIMIT.max, faults) ?? PAYMENT_LIMIT.byDefault;
  const state = LISTED_STATES.find((each) => each === sent.state);
  if (sent.state !== undefined && state === undefined) {
    faults.push({ path: '/state', message: `must be one of ${LISTED_STATES.join(', ')}` });
  }
  if (sent.totals !== undefined && sent.totals !== 'true') {
    faults.push({ path: '/totals', message: 'must be true' });
  }
  const beyond = sent.cursor === undefined ? undefined : parsePaymentsCursor(sent.cursor);
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
