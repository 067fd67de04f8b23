import { createChecker } from '#contract/checker.ts';
import { bodyErrors } from '#contract/error.ts';
import type { Fault } from '#contract/fault.ts';
import { withoutEmpty } from '#contract/optional.ts';
import { AMOUNT_MAX, PaymentAnswer, PaymentRequest } from '#contract/payments/payment.ts';
import type { AcceptPayment } from '#ingest/accept-payment.ts';
import { toInstantText } from '#ingest/parse-instant.ts';
import type { SentPayment } from '#ingest/parse-payment.ts';
import { refuseFaults } from '#server/errors/errors.ts';
import type { Server } from '#server/server-type.ts';
import { addKeyedRoute } from './keyed-route.ts';
import { scanObject } from './scan-object.ts';
import type { WriteAccess, WriteEndpoint } from './write-endpoint.ts';

const checker = createChecker(PaymentRequest);

/** `POST /api/v1/payments`: receives payments and refunds from a backend. */
export function addPaymentRoute(
  server: Server,
  deps: WriteAccess & { readonly acceptPayment: AcceptPayment },
): WriteEndpoint {
  const { sites, acceptPayment } = deps;
  return addKeyedRoute(server, deps, {
    path: '/api/v1/payments',
    scope: 'payments:write',
    schema: {
      operationId: 'createPayment',
      summary: 'Record a payment or a refund',
      description:
        'Records a payment, or a refund with `refunded: true`. Another report with the same `transaction_id` adds facts to the record and never counts twice.',
      tags: ['payments'],
      body: PaymentRequest,
      response: {
        200: PaymentAnswer,
        ...bodyErrors('transaction_conflict', 'idempotency_conflict'),
      },
    },
    async accept({ siteId, body, bodyText, claim }) {
      const payment = toSentPayment(body, bodyText);
      const timezone = sites.findSite(siteId)?.timezone ?? 'UTC';
      return acceptPayment({ siteId, timezone, payment, claim });
    },
  });
}

/** The fields, with the details that JSON parsing loses: the amount's digits and repeated names. */
function toSentPayment(body: unknown, bodyText: string): SentPayment {
  const fields = toTexts(withoutEmpty(body, PaymentRequest), bodyText);
  const ofForm = checker.isValid(fields) ? [] : checker.findFaults(fields);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw refuseFaults(ofForm);
  const { numberTexts, duplicates } = scanObject(bodyText, 'amount');
  const twice = duplicates.map((path): Fault => ({ path, message: 'is given more than once' }));
  const isOfVisitor = ({ path }: Fault) => path === '/service_visitor_id';
  const ofOthers = ofForm.filter((fault) => !isOfVisitor(fault));
  return {
    fields,
    amountText: numberTexts.get('/amount'),
    hasBadVisitor: ofForm.some(isOfVisitor),
    faults: [...ofOthers.map((fault) => toFault(fault, fields.amount)), ...twice],
  };
}

const OF_CHARGES = ['transaction_id', 'original_transaction_id'] as const;
const IDS = [...OF_CHARGES, 'customer_id', 'subscription_id'] as const;
const INSTANTS = ['timestamp', 'refunded_at'] as const;

/** Ids that were sent as numbers as their digits, which JSON parsing may lose, and numbers of time as ISO 8601. */
function toTexts(body: unknown, bodyText: string): SentPayment['fields'] {
  const fields = body as SentPayment['fields'];
  if (typeof body !== 'object' || body === null) return fields;
  const texts: Record<string, string> = {};
  for (const name of IDS) {
    if (typeof fields[name] !== 'number') continue;
    const digits = scanObject(bodyText, name).numberTexts.get(`/${name}`) ?? '';
    if (/^\d+$/.test(digits)) texts[name] = digits;
  }
  for (const name of INSTANTS) {
    const sent = fields[name];
    if (typeof sent === 'number') texts[name] = toInstantText(sent);
  }
  return Object.keys(texts).length === 0 ? fields : { ...fields, ...texts };
}

/** A number too large for a float is reported as too large, not as invalid. */
function toFault(fault: Fault, amount: unknown): Fault {
  if (fault.path !== '/amount' || typeof amount !== 'number' || Number.isFinite(amount))
    return fault;
  const message = amount > 0 ? `must be at most ${AMOUNT_MAX}` : 'must be at least 0';
  return { path: fault.path, message };
}
