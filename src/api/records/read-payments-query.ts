import type { FastifyRequest } from 'fastify';
import type { Fault } from '#contract/fault.ts';
import { LISTED_STATES, PAYMENT_LIMIT, PAYMENT_PARAMS } from '#contract/payments/payment-list.ts';
import { ATTRIBUTION_MODELS } from '#domain/attribution/models.ts';
import { normalizeEmail } from '#domain/identity/normalize-email.ts';
import type { PaidIn } from '#domain/money/known-payment.ts';
import { parseDay, parseInstantIn } from '#domain/time/parse-period.ts';
import { paidOn, parsePaymentsCursor } from '#report/payments/list-payments.ts';
import type { ReportSite } from '#report/ports.ts';
import { refuseFaults } from '#server/errors/errors.ts';
import {
  type FindsSites,
  readChoice,
  readParams,
  readWhole,
} from '#server/requests/read-params.ts';
import { isPersonal } from '../queries/stories.ts';

const NAMES = Object.keys(PAYMENT_PARAMS) as (keyof typeof PAYMENT_PARAMS)[];

type Sent = { readonly [Name in keyof typeof PAYMENT_PARAMS]?: string };

/** Reads which payments a request asks for. Throws a refusal that lists every fault. */
export function readPaymentsQuery(request: FastifyRequest, sites: FindsSites, site: ReportSite) {
  const sent: Sent = readParams(request, sites, NAMES);
  const faults: Fault[] = [];
  const page = readPage(sent, faults);
  if (sent.email !== undefined && !isPersonal(request)) {
    faults.push({ path: '/email', message: 'needs a key with the scope visitors:read' });
  }
  const query = {
    ...readRule(sent, faults),
    state: readChoice('state', sent.state, LISTED_STATES, faults),
    ...{ channel: sent.channel, source: sent.source },
    paid: readSpan(['from', 'to'], sent, site, faults),
    filter: {
      customerId: sent.customer_id,
      email: sent.email && normalizeEmail(sent.email),
      visitorId: sent.service_visitor_id,
      subscriptionId: sent.subscription_id,
      ...{ product: sent.product, provider: sent.provider },
      search: sent.search ? { text: sent.search, isPersonal: isPersonal(request) } : undefined,
      refunded:
        (sent.refunded_from ?? sent.refunded_to) === undefined
          ? undefined
          : readSpan(['refunded_from', 'refunded_to'], sent, site, faults),
    },
    ...page,
  };
  if (faults.length > 0) throw refuseFaults(faults);
  return query;
}

/** Reads which page is wanted, and whether with totals. */
function readPage(sent: Sent, faults: Fault[]) {
  const limit =
    readWhole('limit', sent.limit, PAYMENT_LIMIT.max, faults) ?? PAYMENT_LIMIT.byDefault;
  if (sent.totals !== undefined && sent.totals !== 'true') {
    faults.push({ path: '/totals', message: 'must be true' });
  }
  const beyond = sent.cursor === undefined ? undefined : parsePaymentsCursor(sent.cursor);
  if (sent.cursor !== undefined && beyond === undefined) {
    faults.push({ path: '/cursor', message: 'must be the next_cursor of a previous page' });
  }
  return { limit, beyond, withTotals: sent.totals === 'true' };
}

/** Reads by whom one payment is credited. */
export function readCreditRule(request: FastifyRequest, sites: FindsSites) {
  const faults: Fault[] = [];
  const rule = readRule(readParams(request, sites, ['model', 'lookback_days']), faults);
  if (faults.length > 0) throw refuseFaults(faults);
  return rule;
}

function readRule({ model, lookback_days }: Sent, faults: Fault[]) {
  return {
    model: readChoice('model', model, ATTRIBUTION_MODELS, faults),
    lookbackDays: readWhole('lookback_days', lookback_days, 730, faults),
  };
}

type Ends = readonly [first: 'from' | 'refunded_from', last: 'to' | 'refunded_to'];

function readSpan([first, last]: Ends, sent: Sent, site: ReportSite, faults: Fault[]): PaidIn {
  const { from } = readEnd(first, sent[first], site, faults);
  const { before } = readEnd(last, sent[last], site, faults);
  if (from !== undefined && before !== undefined && from >= before) {
    faults.push({ path: `/${last}`, message: `must not be before ${first}` });
  }
  return { from, before };
}

/** Where a day, or an instant, begins and ends. */
function readEnd(
  name: string,
  text: string | undefined,
  site: ReportSite,
  faults: Fault[],
): PaidIn {
  if (text === undefined) return {};
  const day = parseDay(text);
  if (day !== undefined) return paidOn([day, day], site);
  const at = parseInstantIn(text, site.timezone);
  if (at !== undefined) return { from: at, before: at };
  const message = 'must be a day such as 2026-11-01, or an instant such as 2026-11-01T09:00:00Z';
  faults.push({ path: `/${name}`, message });
  return {};
}
