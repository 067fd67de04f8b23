import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { readErrors } from '#contract/error.ts';
import { PATTERN_RULES, VISITOR_ID_PATTERN } from '#contract/patterns.ts';
import { VisitorId } from '#contract/text.ts';
import { ErasureReceipt, SeparatedAnswer, VisitorAnswer, VisitorScope } from '#contract/visitor.ts';
import { toReceipt } from '#ingest/erase/to-receipt.ts';
import type { SiteDirectory } from '#ingest/ports.ts';
import { waitUntil } from '#jobs/wait.ts';
import type { SubjectScope } from '#ledger/erasure/erase-person.ts';
import type { Erasure } from '#ledger/erasure/erasure-store.ts';
import { KEY_FIELDS, toJoinedVisitors } from '#report/people/to-joined-visitors.ts';
import { RefusedRequest, refuseFaults } from '../answers/errors.ts';
import { keyOf, requireKey } from '../requests/authenticate.ts';
import { readParams } from '../requests/read-params.ts';
import type { ReadDeps } from '../server/server-deps.ts';
import type { Server } from '../server/server-type.ts';

/** How long a response waits for an erasure to finish before it answers 202. */
const DONE_WAIT = { everyMs: 100, maxMs: 20_000 };

const VisitorPath = Type.Object({ id: VisitorId() });
const VISITOR_ID = new RegExp(VISITOR_ID_PATTERN);

/**
 * `GET` and `DELETE /api/v1/visitors/{id}`, `DELETE /api/v1/visitors/{id}/joins`, and
 * `GET /api/v1/erasures/{id}`.
 */
export function addVisitorRoutes(server: Server, deps: ReadDeps): void {
  addAccess(server, deps);
  addErasure(server, deps);
  addSeparation(server, deps);
  addReceipt(server, deps);
}

function addAccess(server: Server, { keys, sites, describeVisitor, limitReads }: ReadDeps) {
  server.route({
    method: 'GET',
    url: '/api/v1/visitors/:id',
    onRequest: [requireKey(keys, 'visitors:read'), ...limitReads],
    schema: {
      operationId: 'describeVisitor',
      summary: 'Get everything stored about a visitor or person',
      description:
        'By default covers only that visitor. `scope=person` includes every visitor joined with it, with the reason for each.',
      tags: ['visitors'],
      security: [{ key: ['visitors:read'] }],
      params: VisitorPath,
      querystring: VisitorScope,
      response: { 200: VisitorAnswer, ...readErrors() },
    },
    async handler(request) {
      const visitorId = readVisitorId(request.params.id);
      const scope = readScope(request, sites);
      const known = await describeVisitor(keyOf(request).siteId, visitorId, scope);
      if (known !== undefined) return known;
      throw new RefusedRequest('not_found', `Nothing is stored about visitor ${visitorId}.`);
    },
  });
}

function addErasure(server: Server, { keys, sites, erasures }: ReadDeps): void {
  server.route({
    method: 'DELETE',
    url: '/api/v1/visitors/:id',
    onRequest: [requireKey(keys, 'visitors:delete')],
    schema: {
      operationId: 'eraseVisitor',
      summary: 'Erase a visitor or person',
      description:
        'Erases that visitor, or with `scope=person` every visitor joined with it, from all stores within 60 seconds. Payments keep amount, time and transaction, but not the person. The request is on disk before the response: 200 if the erasure is done, 202 while it is running.',
      tags: ['visitors'],
      security: [{ key: ['visitors:delete'] }],
      params: VisitorPath,
      querystring: VisitorScope,
      response: { 200: ErasureReceipt, 202: ErasureReceipt, ...readErrors() },
    },
    async handler(request, reply) {
      const { siteId } = keyOf(request);
      const visitorId = readVisitorId(request.params.id);
      const scope = readScope(request, sites);
      const { subject, joins } = await erasures.findKnownPerson(siteId, visitorId, scope);
      const visitors = toJoinedVisitors(subject.visitors, joins);
      const asked = await erasures.requestErasure(siteId, visitorId, scope);
      let erasure: Erasure = asked;
      const isDone = await waitUntil(async () => {
        erasure = (await erasures.findErasure(siteId, asked.id)) ?? asked;
        return erasure.state === 'done';
      }, DONE_WAIT);
      return reply.code(isDone ? 200 : 202).send({
        ...toReceipt(erasure),
        ...(scope === 'person' && { visitors }),
      });
    },
  });
}

function addSeparation(server: Server, { keys, sites, persons }: ReadDeps): void {
  server.route({
    method: 'DELETE',
    url: '/api/v1/visitors/:id/joins',
    onRequest: [requireKey(keys, 'visitors:delete')],
    schema: {
      operationId: 'separateVisitor',
      summary: 'Undo the joins of a visitor',
      description:
        'The user ids, customer ids and e-mail addresses that joined the visitor with others never join it again, even if they are reported again. New ones may.',
      tags: ['visitors'],
      security: [{ key: ['visitors:delete'] }],
      params: VisitorPath,
      response: { 200: SeparatedAnswer, ...readErrors() },
    },
    async handler(request): Promise<SeparatedAnswer> {
      const visitorId = readVisitorId(request.params.id);
      readParams(request, sites, []);
      const keys = await persons.separateVisitor(keyOf(request).siteId, visitorId);
      return {
        status: 'success',
        service_visitor_id: visitorId,
        separated_from: keys.flatMap(({ kind, key }) =>
          kind === 'visitor' ? [] : [{ field: KEY_FIELDS[kind], value: key }],
        ),
      };
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
      summary: 'Get the receipt of an erasure',
      tags: ['visitors'],
      security: [{ key: ['visitors:delete'] }],
      params: Type.Object({ id: Type.String() }),
      response: { 200: ErasureReceipt, ...readErrors() },
    },
    async handler(request) {
      const erasure = await erasures.findErasure(keyOf(request).siteId, request.params.id);
      if (erasure === undefined) throw new RefusedRequest('not_found', 'There is no such erasure.');
      return toReceipt(erasure);
    },
  });
}

function readScope(request: FastifyRequest, sites: SiteDirectory): SubjectScope {
  const { scope = 'visitor' } = readParams(request, sites, ['scope']);
  if (scope === 'visitor' || scope === 'person') return scope;
  throw refuseFaults([{ path: '/scope', message: 'must be visitor or person' }]);
}

function readVisitorId(id: string): string {
  if (VISITOR_ID.test(id)) return id;
  const message = PATTERN_RULES.get(VISITOR_ID_PATTERN) ?? '';
  throw refuseFaults([{ path: '/id', message }]);
}
