import type { FastifyRequest } from 'fastify';
import { bodyErrors, readErrors } from '#contract/error.ts';
import {
  type ListedPayment,
  OnePayment,
  PaymentCorrection,
  PaymentPath,
} from '#contract/payments/payment-list.ts';
import { isPlaceholderKey } from '#domain/identity/placeholder-keys.ts';
import type { ChangedBy } from '#domain/money/known-payment.ts';
import type { Result } from '#domain/result.ts';
import type { PaymentChanges } from '#ingest/ports.ts';
import { RefusedRequest, refuseFaults } from '#server/errors/errors.ts';
import { keyOf } from '#server/requests/authenticate.ts';
import { readParams } from '#server/requests/read-params.ts';
import type { Server } from '#server/server-type.ts';
import { addKeyRoute } from '../key-route.ts';
import { siteOf } from '../queries/report-route.ts';
import { forKey, type PaymentListDeps, unknownPayment } from './payment-list.ts';

type ChangeDeps = Pick<PaymentListDeps, 'keys' | 'sites' | 'listPayments' | 'findNames'> & {
  readonly payments: PaymentChanges;
};

/** `PATCH` and `DELETE /api/v1/payments/{transaction_id}`. */
export function addPaymentChangeRoutes(server: Server, deps: ChangeDeps): void {
  const { keys, payments } = deps;
  const described = { tags: ['payments'], params: PaymentPath, answer: OnePayment };
  addKeyRoute(server, keys, 'PATCH /api/v1/payments/:id', 'payments:write', {
    operation: ['correctPayment', 'Correct the visitor of a payment'],
    description:
      'Replaces the reported visitor. Later reports no longer change it. The record keeps who corrected it, and when.',
    ...described,
    body: PaymentCorrection,
    errors: bodyErrors('transaction_conflict'),
    async handle({ request, body: { service_visitor_id: visitorId } }) {
      if (visitorId !== null && isPlaceholderKey('visitor', visitorId)) {
        const message = 'identifies nobody; send null if the visitor is unknown';
        throw refuseFaults([{ path: '/service_visitor_id', message }]);
      }
      return change(request, deps, (siteId, id, by) =>
        payments.correctVisitor(siteId, id, visitorId ?? undefined, by),
      );
    },
  });
  addKeyRoute(server, keys, 'DELETE /api/v1/payments/:id', 'payments:write', {
    operation: ['voidPayment', 'Void a payment or refund'],
    description:
      'Permanently excludes the payment and its refunds from all reports, or one refund by its own id. The record keeps who voided it, and when. New reports of the transaction are refused.',
    ...described,
    errors: readErrors('transaction_conflict'),
    handle: ({ request }) => change(request, deps, payments.voidPayment),
  });
}

type Change = (siteId: string, id: string, change: ChangedBy) => Promise<Result<null, string>>;

/** Changes the payment in the path on behalf of the key, and returns it. */
async function change(request: FastifyRequest, deps: ChangeDeps, work: Change) {
  readParams(request, deps.sites, []);
  const { siteId, id: by } = keyOf(request);
  const { id } = request.params as { readonly id: string };
  if ((await deps.payments.findPayment(siteId, id)) === undefined) throw unknownPayment(id);
  const changed = await work(siteId, id, { by, at: Date.now() });
  if (!changed.ok) throw new RefusedRequest('transaction_conflict', changed.error);
  const found = await deps.listPayments.find(siteOf(deps, siteId), id);
  if (found === undefined) throw unknownPayment(id);
  const [shown] = await forKey(request, deps.findNames, [found]);
  return shown as ListedPayment;
}
