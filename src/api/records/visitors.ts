import type { FastifyRequest } from 'fastify';
import { DONE } from '#contract/done.ts';
import { readErrors } from '#contract/error.ts';
import { findVisitorIdFault } from '#contract/patterns.ts';
import { KEY_FIELDS, toJoinedVisitors } from '#contract/to-joined-visitors.ts';
import {
  ErasurePath,
  ErasureReceipt,
  SeparatedAnswer,
  VisitorAnswer,
  VisitorPath,
  VisitorScope,
} from '#contract/visitor.ts';
import type { SubjectScope } from '#domain/identity/person.ts';
import { awaitErasure } from '#ingest/erase/await-erasure.ts';
import { toReceipt } from '#ingest/erase/to-receipt.ts';
import type { VisitorRequests } from '#ingest/ports.ts';
import type { DescribeVisitor, SubjectLedger } from '#report/people/describe-visitor.ts';
import { RefusedRequest, refuseFaults } from '#server/errors/errors.ts';
import { readParams } from '#server/requests/read-params.ts';
import type { Server } from '#server/server-type.ts';
import { addKeyRoute, type KeyAccess, type ReadAccess } from '../key-route.ts';

/** How long a response waits for an erasure to finish before it answers 202. */
const DONE_WAIT_MS = 20_000;

type AccessDeps = ReadAccess & { readonly describeVisitor: DescribeVisitor };
type ErasureDeps = KeyAccess & { readonly erasures: VisitorRequests & SubjectLedger };
type SeparationDeps = KeyAccess & { readonly persons: Pick<VisitorRequests, 'separateVisitor'> };

/**
 * `GET` and `DELETE /api/v1/visitors/{id}`, `DELETE /api/v1/visitors/{id}/joins`, and
 * `GET /api/v1/erasures/{id}`.
 */
export function addVisitorRoutes(
  server: Server,
  deps: AccessDeps & ErasureDeps & SeparationDeps,
): void {
  addAccess(server, deps);
  addSeparation(server, deps);
  addErasure(server, deps);
}

function addAccess(server: Server, { keys, sites, describeVisitor, limitReads }: AccessDeps) {
  addKeyRoute(server, keys, 'GET /api/v1/visitors/:id', 'visitors:read', {
    operation: ['describeVisitor', 'Get everything stored about a visitor or person'],
    description:
      'By default covers only that visitor. `scope=person` includes every visitor joined with it, with the reason for each.',
    tags: ['visitors'],
    params: VisitorPath,
    querystring: VisitorScope,
    answer: VisitorAnswer,
    limits: limitReads,
    async handle({ request, siteId, params }) {
      const visitorId = readVisitorId(params.id);
      const scope = readScope(request, sites);
      const known = await describeVisitor(siteId, visitorId, scope);
      if (known !== undefined) return known;
      throw new RefusedRequest('not_found', `Nothing is stored about visitor ${visitorId}.`);
    },
  });
}

function addErasure(server: Server, { keys, sites, erasures }: ErasureDeps): void {
  addKeyRoute(server, keys, 'DELETE /api/v1/visitors/:id', 'visitors:delete', {
    operation: ['eraseVisitor', 'Erase a visitor or person'],
    description:
      'Erases that visitor, or with `scope=person` every visitor joined with it, from all stores within 60 seconds. Payments keep amount, time and transaction, but not the person. The request is on disk before the response: 200 if the erasure is done, 202 while it is running.',
    tags: ['visitors'],
    params: VisitorPath,
    querystring: VisitorScope,
    answer: ErasureReceipt,
    errors: { 202: ErasureReceipt, ...readErrors() },
    async handle({ request, reply, siteId, params }) {
      const visitorId = readVisitorId(params.id);
      const scope = readScope(request, sites);
      const { subject, joins } = await erasures.findKnownPerson(siteId, visitorId, scope);
      const visitors = toJoinedVisitors(subject.visitors, joins);
      const asked = await erasures.requestErasure(siteId, visitorId, scope);
      const erasure = await awaitErasure(erasures, siteId, asked, DONE_WAIT_MS);
      reply.code(erasure.state === 'done' ? 200 : 202);
      return { ...toReceipt(erasure), ...(scope === 'person' && { visitors }) };
    },
  });
  addKeyRoute(server, keys, 'GET /api/v1/erasures/:id', 'visitors:delete', {
    operation: ['findErasure', 'Get the receipt of an erasure'],
    tags: ['visitors'],
    params: ErasurePath,
    answer: ErasureReceipt,
    async handle({ request, siteId, params }) {
      readParams(request, sites, []);
      const erasure = await erasures.findErasure(siteId, params.id);
      if (erasure === undefined) throw new RefusedRequest('not_found', 'There is no such erasure.');
      return toReceipt(erasure);
    },
  });
}

function addSeparation(server: Server, { keys, sites, persons }: SeparationDeps): void {
  addKeyRoute(server, keys, 'DELETE /api/v1/visitors/:id/joins', 'visitors:delete', {
    operation: ['separateVisitor', 'Undo the joins of a visitor'],
    description:
      'The user ids, customer ids and e-mail addresses that joined the visitor with others never join it again, even if they are reported again. New ones may.',
    tags: ['visitors'],
    params: VisitorPath,
    answer: SeparatedAnswer,
    async handle({ request, siteId, params }) {
      const visitorId = readVisitorId(params.id);
      readParams(request, sites, []);
      const keys = await persons.separateVisitor(siteId, visitorId);
      return {
        ...DONE,
        service_visitor_id: visitorId,
        separated_from: keys.flatMap(({ kind, key }) =>
          kind === 'visitor' ? [] : [{ field: KEY_FIELDS[kind], value: key }],
        ),
      };
    },
  });
}

function readScope(request: FastifyRequest, sites: ReadAccess['sites']): SubjectScope {
  const { scope = 'visitor' } = readParams(request, sites, ['scope']);
  if (scope === 'visitor' || scope === 'person') return scope;
  throw refuseFaults([{ path: '/scope', message: 'must be visitor or person' }]);
}

function readVisitorId(id: string): string {
  const message = findVisitorIdFault(id);
  if (message === undefined) return id;
  throw refuseFaults([{ path: '/id', message }]);
}
