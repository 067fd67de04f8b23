import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { readErrors } from '#contract/error.ts';
import type { Fault } from '#contract/fault.ts';
import { refuseFaults } from '../../answers/errors.ts';
import { requireRole } from '../../requests/people.ts';
import { readWhole } from '../../requests/read-params.ts';
import type { ReadDeps } from '../../server/server-deps.ts';
import type { Server } from '../../server/server-type.ts';
import { byPeople, SitePath, siteOfPath } from '../sites/site-request.ts';

const LIMIT = { max: 1_000, byDefault: 100 } as const;

const Entries = Type.Object(
  {
    entries: Type.Array(
      Type.Object({
        at: Type.String(),
        user_id: Type.String(),
        who: Type.String({ description: 'The address that the person had then.' }),
        what: Type.String(),
        about: Type.String({ description: 'A key’s id, an address, the names of settings.' }),
      }),
    ),
  },
  { description: 'The newest first.' },
);

/** `GET /api/v1/sites/{id}/audit`: what people changed of a site, and when they signed in. */
export function addAuditRoute(server: Server, deps: ReadDeps): void {
  const { audit } = deps.accounts;
  noteWrites(server, deps);
  server.route({
    method: 'GET',
    url: '/api/v1/sites/:id/audit',
    onRequest: requireRole(deps, 'admin'),
    schema: byPeople('listChanges', 'What people of a site changed, and when they signed in', {
      params: SitePath,
      querystring: Type.Object({
        limit: Type.Optional(
          Type.Integer({ minimum: 1, maximum: LIMIT.max, default: LIMIT.byDefault }),
        ),
      }),
      response: { 200: Entries, ...readErrors() },
    }),
    handler({ params, query }) {
      const faults: Fault[] = [];
      const limit = readWhole('limit', query.limit, LIMIT.max, faults) ?? LIMIT.byDefault;
      if (faults.length > 0) throw refuseFaults(faults);
      const entries = audit.list(siteOfPath(deps, params).id, limit);
      return {
        entries: entries.map(({ at, userId, who, what, about }) => {
          return { at: new Date(at).toISOString(), user_id: userId, who, what, about };
        }),
      };
    },
  });
}

/**
 * Notes what people write with their session where backends do with a key: payments that are changed,
 * visitors that are erased. Of whom is not noted: an erasure must be in no store.
 */
function noteWrites(server: Server, { accounts }: ReadDeps): void {
  server.addHook('onResponse', (request, reply, done) => {
    if (isWrite(request) && reply.statusCode < 300) {
      const person = accounts.findPerson(request.headers.cookie);
      const what = request.routeOptions.schema?.summary ?? request.routeOptions.url ?? '';
      const siteId = request.apiKey?.siteId ?? '';
      if (person !== undefined) accounts.audit.note(person, { siteId, what, about: '' });
    }
    done();
  });
}

function isWrite({ apiKey, method, routeOptions }: FastifyRequest): boolean {
  if (apiKey === null || !apiKey.id.startsWith('user_')) return false;
  return !['GET', 'HEAD'].includes(method) && routeOptions.config.isRead !== true;
}
