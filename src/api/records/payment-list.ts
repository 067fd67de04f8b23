import type { FastifyRequest } from 'fastify';
import { EXPORT_TYPES } from '#contract/exports.ts';
import {
  type ListedPayment,
  OnePayment,
  OnePaymentParams,
  PaymentPath,
  PaymentsAnswer,
  PaymentsParams,
} from '#contract/payments/payment-list.ts';
import type { FileExports } from '#report/exports/create-exports.ts';
import type { ListPayments } from '#report/payments/list-payments.ts';
import { abortOnDisconnect } from '#server/connections/abort-on-disconnect.ts';
import { RefusedRequest } from '#server/errors/errors.ts';
import { keyOf } from '#server/requests/authenticate.ts';
import type { Server } from '#server/server-type.ts';
import { addKeyRoute } from '../key-route.ts';
import { chooseAnswerType } from '../queries/answer-formats.ts';
import { createNoteBehind, type QueryAccess, siteOf } from '../queries/report-route.ts';
import { isPersonal } from '../queries/stories.ts';
import { type NoteExport, sendParts } from './exports.ts';
import { readCreditRule, readPaymentsQuery } from './read-payments-query.ts';

/** The names of the keys and members of a site, by their ids. */
export type FindNames = (siteId: string) => Promise<ReadonlyMap<string, string>>;

/** What lists payments, and names who has changed them. */
export type PaymentListDeps = QueryAccess & {
  readonly listPayments: ListPayments;
  readonly exports: Pick<FileExports, 'ofPayments'>;
  readonly findNames: FindNames;
  readonly noteExport: NoteExport;
};

/** `GET /api/v1/payments` and `GET /api/v1/payments/{transaction_id}`. */
export function addPaymentListRoutes(server: Server, deps: PaymentListDeps): void {
  const { keys, sites, listPayments, exports, findNames, limitReads } = deps;
  const noteBehind = createNoteBehind(deps.behindSeconds);
  addKeyRoute(server, keys, 'GET /api/v1/payments', 'stats:read', {
    operation: ['listPayments', 'List payments with their states'],
    description:
      'Latest paid first. The state is `attributed`, or says why a payment is not; the status says what became of the money. A page may be shorter than `limit` and still have a `next_cursor`, if what is asked for is rare. With `Accept: text/csv`, all matching payments come as one file.',
    tags: ['payments'],
    querystring: PaymentsParams,
    answer: PaymentsAnswer,
    limits: limitReads,
    async handle({ request, reply, siteId }) {
      const site = siteOf(deps, siteId);
      const query = readPaymentsQuery(request, sites, site);
      if (chooseAnswerType(request.headers.accept) === 'text/csv') {
        return abortOnDisconnect(reply, async (stops) => {
          const wish = { format: 'csv', isPersonal: isPersonal(request), stops } as const;
          const all = listPayments.listAll({ ...query, site });
          if (wish.isPersonal) await deps.noteExport(keyOf(request), describe(request));
          return sendParts(reply.type(EXPORT_TYPES.csv), exports.ofPayments(site, all, wish));
        });
      }
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
      const rule = readCreditRule(request, sites);
      const found = await listPayments.find(siteOf(deps, siteId), id, rule);
      if (found === undefined) throw unknownPayment(id);
      const [shown] = await forKey(request, findNames, [found]);
      return shown as ListedPayment;
    },
  });
}

/** `payments of the list, paid 2026-11-01 to 2026-11-30`: its days as asked for, and never what was searched for. */
function describe({ query }: FastifyRequest): string {
  const { from, to, refunded_from, refunded_to } = query as Readonly<Record<string, string>>;
  const span = (done: string, ends: readonly (string | undefined)[]) =>
    ends.some(Boolean) ? `, ${done} ${ends.map((end) => end || '…').join(' to ')}` : '';
  const paid = span('paid', [from, to]);
  return `payments of the list${paid}${span('refunded', [refunded_from, refunded_to])}`;
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
