import { setTimeout as sleep } from 'node:timers/promises';
import Type from 'typebox';
import { readErrors } from '#contract/error.ts';
import { PATTERN_RULES, VISITOR_ID_PATTERN, VisitorId } from '#contract/text.ts';
import { ErasureReceipt, VisitorAnswer } from '#contract/visitor.ts';
import { toReceipt } from '#ingest/erase/to-receipt.ts';
import type { Erasure } from '#ledger/erasure/erasure-store.ts';
import { RefusedRequest, refuseFaults } from '../answers/errors.ts';
import { keyOf, requireKey } from '../requests/authenticate.ts';
import type { ReadDeps } from '../server/server-deps.ts';
import type { Server } from '../server/server-type.ts';

/** How long an answer waits for the end of an erasure, which is reported later otherwise. */
const DONE_WAIT_MS = 20_000;
const LOOK_EVERY_MS = 100;

const VisitorPath = Type.Object({ id: VisitorId() });
const VISITOR_ID = new RegExp(VISITOR_ID_PATTERN);

/** `GET` and `DELETE /api/v1/visitors/{id}`, and `GET /api/v1/erasures/{id}`. */
export function addVisitorRoutes(server: Server, deps: ReadDeps): void {
  addAccess(server, deps);
  addErasure(server, deps);
  addReceipt(server, deps);
}

function addAccess(server: Server, { keys, describeVisitor, limitReads }: ReadDeps) {
  server.route({
    method: 'GET',
    url: '/api/v1/visitors/:id',
    onRequest: [requireKey(keys, 'visitors:read'), ...limitReads],
    schema: {
      operationId: 'describeVisitor',
      summary: 'Everything stored about a visitor',
      tags: ['visitors'],
      security: [{ key: ['visitors:read'] }],
      params: VisitorPath,
      response: { 200: VisitorAnswer, ...readErrors('not_found') },
    },
    async handler(request) {
      const visitorId = readVisitorId(request.params.id);
      const known = await describeVisitor(keyOf(request).siteId, visitorId);
      if (known === undefined) throw nobody(visitorId);
      return known;
    },
  });
}

function addErasure(server: Server, { keys, erasures }: ReadDeps): void {
  server.route({
    method: 'DELETE',
    url: '/api/v1/visitors/:id',
    onRequest: [requireKey(keys, 'visitors:delete')],
    schema: {
      operationId: 'eraseVisitor',
      summary: 'Erase a visitor and the whole person',
      description:
        'Erases the visitor, and every visitor known to be the same person, from all stores within 60 seconds. Payments keep amount, time and transaction without the person. The request is on disk before the answer: 200 when everything is done, 202 while it runs.',
      tags: ['visitors'],
      security: [{ key: ['visitors:delete'] }],
      params: VisitorPath,
      response: { 200: ErasureReceipt, 202: ErasureReceipt, ...readErrors() },
    },
    async handler(request, reply) {
      const { siteId } = keyOf(request);
      const asked = erasures.requestErasure(siteId, readVisitorId(request.params.id));
      let erasure: Erasure = asked;
      for (const until = performance.now() + DONE_WAIT_MS; performance.now() < until; ) {
        erasure = erasures.findErasure(siteId, asked.id) ?? asked;
        if (erasure.state === 'done') break;
        await sleep(LOOK_EVERY_MS);
      }
      return reply.code(erasure.state === 'done' ? 200 : 202).send(toReceipt(erasure));
    },
  });
}

function addReceipt(server: Server, { keys, erasures }: ReadDeps): void {
  server.route({
    method: 'GET',
    url: '/api/v1/erasures/:id',
    onRequest: [requireKey(keys, 'visitors:delete')],
    schema: {
      operationId: 'findErasure',
      summary: 'The receipt of an erasure',
      tags: ['visitors'],
      security: [{ key: ['visitors:delete'] }],
      params: Type.Object({ id: Type.String() }),
      response: { 200: ErasureReceipt, ...readErrors('not_found') },
    },
    async handler(request) {
      const erasure = erasures.findErasure(keyOf(request).siteId, request.params.id);
      if (erasure === undefined) throw new RefusedRequest('not_found', 'There is no such erasure.');
      return toReceipt(erasure);
    },
  });
}

function readVisitorId(id: string): string {
  if (VISITOR_ID.test(id)) return id;
  const message = PATTERN_RULES.get(VISITOR_ID_PATTERN) ?? '';
  throw refuseFaults([{ path: '/id', message }]);
}

function nobody(visitorId: string): RefusedRequest {
  return new RefusedRequest('not_found', `Nothing is stored of visitor ${visitorId}.`);
}
