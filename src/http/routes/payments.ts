import { createChecker } from '#contract/checker.ts';
import { bodyErrors } from '#contract/error.ts';
import type { Fault } from '#contract/fault.ts';
import { AMOUNT_MAX, PaymentAnswer, PaymentRequest } from '#contract/payment.ts';
import type { AcceptPayment, PaymentRefusal } from '#ingest/accept-payment.ts';
import type { SentPayment } from '#ingest/parse-payment.ts';
import type { SiteDirectory } from '#ingest/ports.ts';
import { RefusedRequest, refuseFaults } from '../answers/errors.ts';
import { type KeyDirectory, keyOf } from '../requests/authenticate.ts';
import { findDuplicates, listMembers } from '../requests/json-members.ts';
import type { Server } from '../server/server-type.ts';
import {
  addKeyedRoute,
  findClaim,
  type KeyedEndpoint,
  refuseReusedKey,
} from '../writes/keyed-route.ts';
import type { WriteEndpoint } from '../writes/write-endpoint.ts';

/** What the route of payments needs. */
export type PaymentRouteDeps = {
  readonly keys: KeyDirectory;
  readonly sites: SiteDirectory;
  readonly acceptPayment: AcceptPayment;
};

const URL_PATH = '/api/v1/payments';
const checker = createChecker(PaymentRequest);

/** `POST /api/v1/payments`: a backend reports a payment or a refund. */
export function addPaymentRoute(server: Server, deps: PaymentRouteDeps): WriteEndpoint {
  const answer = createAnswerPayment(deps);
  return addKeyedRoute(
    server,
    deps.keys,
    { path: URL_PATH, scope: 'payments:write', answer },
    {
      operationId: 'createPayment',
      summary: 'Create a payment',
      description:
        'Records a payment, or a refund with `refunded: true`. The same `transaction_id` again completes the record, and never counts twice.',
      tags: ['payments'],
      body: PaymentRequest,
      response: {
        200: PaymentAnswer,
        ...bodyErrors('transaction_conflict', 'idempotency_conflict'),
      },
    },
  );
}

function createAnswerPayment({ sites, acceptPayment }: PaymentRouteDeps): KeyedEndpoint['answer'] {
  return async (write) => {
    const { siteId } = keyOf(write);
    const payment = toSentPayment(write.body, write.bodyText);
    const timezone = sites.findSite(siteId)?.timezone ?? 'UTC';
    const claim = findClaim(URL_PATH, write);
    const outcome = await acceptPayment({ siteId, timezone, payment, claim });
    if (outcome.ok) return outcome.value;
    throw toRefusal(outcome.error);
  };
}

/** The fields with what parsing lost: the amount's digits, and which names came twice. */
function toSentPayment(body: unknown, bodyText: string): SentPayment {
  const ofForm = checker.isValid(body) ? [] : checker.findFaults(body);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw refuseFaults(ofForm);
  const amount = 'amount' in body ? body.amount : undefined;
  const members = listMembers(bodyText);
  const duplicates = findDuplicates(members).map(
    (path): Fault => ({ path, message: 'is given more than once' }),
  );
  return {
    fields: body,
    amountText: members.find(({ name }) => name === 'amount')?.text,
    faults: [...ofForm.map((fault) => toFault(fault, amount)), ...duplicates],
  };
}

/** A number beyond the floats is one all the same, and too large. */
function toFault(fault: Fault, amount: unknown): Fault {
  if (fault.path !== '/amount' || typeof amount !== 'number' || Number.isFinite(amount))
    return fault;
  const message = amount > 0 ? `must be at most ${AMOUNT_MAX}` : 'must be at least 0';
  return { path: fault.path, message };
}

function toRefusal(refusal: PaymentRefusal): RefusedRequest {
  switch (refusal.type) {
    case 'invalid_request':
      return refuseFaults(refusal.details);
    case 'transaction_conflict':
      return new RefusedRequest('transaction_conflict', refusal.message);
    case 'idempotency_conflict':
      return refuseReusedKey();
  }
}
