import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { createChecker } from '#contract/checker.ts';
import { bodyErrors, readErrors } from '#contract/error.ts';
import { type ListedPayment, PaymentCorrection } from '#contract/payments/payment-list.ts';
import { isPlaceholderKey } from '#domain/identity/placeholder-keys.ts';
import type { Result } from '#domain/result.ts';
import type { ChangedBy } from '#ledger/change-payment.ts';
import { RefusedRequest, refuseFaults } from '../answers/errors.ts';
import { keyOf, requireKey } from '../requests/authenticate.ts';
import { parseBody, readJsonBody, requireJsonType } from '../requests/body.ts';
import type { ReadDeps } from '../server/server-deps.ts';
import type { Server } from '../server/server-type.ts';
import { forKey, OnePayment, PAYMENT_URL, PaymentPath, unknownPayment } from './payment-list.ts';
import { siteOf } from './report-route.ts';

const checker = createChecker(PaymentCorrection);

/** `PATCH` and `DELETE /api/v1/payments/{transaction_id}`. */
export function addPaymentChangeRoutes(server: Server, deps: ReadDeps): void {
  addCorrection(server, deps);
  addVoid(server, deps);
}

function addCorrection(server: Server, deps: ReadDeps): void {
  const { keys, payments } = deps;
  server.route({
    method: 'PATCH',
    url: PAYMENT_URL,
    onRequest: [requireKey(keys, 'payments:write'), requireJsonType({ beacons: false })],
    preValidation: readJsonBody(),
    schema: {
      operationId: 'correctPayment',
      summary: 'Correct the visitor of a payment',
      description:
        'Replaces the reported visitor. Later reports no longer change it. The record keeps who corrected it, and when.',
      tags: ['payments'],
      security: [{ key: ['payments:write'] }],
      params: PaymentPath,
      body: PaymentCorrection,
      response: { 200: OnePayment, ...bodyErrors('transaction_conflict') },
    },
    async handler(request) {
      const { service_visitor_id: visitorId } = parseBody(checker, request.body);
      if (visitorId !== null && isPlaceholderKey('visitor', visitorId)) {
        const message = 'identifies nobody; send null if the visitor is unknown';
        throw refuseFaults([{ path: '/service_visitor_id', message }]);
      }
      return change(request, deps, (siteId, id, by) =>
        payments.correctVisitor(siteId, id, visitorId ?? undefined, by),
      );
    },
  });
}

function addVoid(server: Server, deps: ReadDeps): void {
  const { keys, payments } = deps;
  server.route({
    method: 'DELETE',
    url: PAYMENT_URL,
    onRequest: requireKey(keys, 'payments:write'),
    schema: {
      operationId: 'voidPayment',
      summary: 'Void a payment or refund',
      description:
        'Permanently excludes the payment and its refunds from all reports, or one refund by its own id. The record keeps who voided it, and when. New reports of the transaction are refused.',
      tags: ['payments'],
      security: [{ key: ['payments:write'] }],
      params: PaymentPath,
      response: { 200: OnePayment, ...readErrors('transaction_conflict') },
    },
    async handler(request) {
      return change(request, deps, payments.voidPayment);
    },
  });
}

type Change = (siteId: string, id: string, change: ChangedBy) => Promise<Result<null, string>>;

/** Changes the payment in the path on behalf of the key, and returns it. */
async function change(
  request: FastifyRequest<{ Params: Static<typeof PaymentPath> }>,
  deps: ReadDeps,
  work: Change,
): Promise<ListedPayment> {
  const { siteId, id: by } = keyOf(request);
  const { id } = request.params;
  if ((await deps.payments.findPayment(siteId, id)) === undefined) throw unknownPayment(id);
  const changed = await work(siteId, id, { by, at: Date.now() });
  if (!changed.ok) throw new RefusedRequest('transaction_conflict', changed.error);
  const found = await deps.listPayments.find(siteOf(deps, siteId), id);
  if (found === undefined) throw unknownPayment(id);
  const [shown] = await forKey(request, deps, [found]);
  return shown as ListedPayment;
}
