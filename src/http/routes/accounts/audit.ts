import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { readErrors } from '#contract/error.ts';
import type { Fault } from '#contract/fault.ts';
import { refuseFaults } from '../../answers/errors.ts';
import { requireRole } from '../../requests/people.ts';
import { readWhole } from '../../requests/read-params.ts';
import type { ReadDeps } from '../../server/server-deps.ts';
import type { Server } from '../../server/server-type.ts';
import { PAYMENT_URL } from '../payment-list.ts';
import { byPeople, SitePath, siteOfPath } from '../sites/site-request.ts';

const LIMIT = { max: 1_000, byDefault: 100 } as const;

const Entries = Type.Object(
  {
    entries: Type.Array(
      Type.Object({
        at: Type.String(),
        user_id: Type.String(),
        who: Type.String({ description: 'The person’s e-mail address at that time.' }),
        what: Type.String({ description: 'The action, such as `key created`.' }),
        about: Type.String({
          description: 'The object of the action: a key’s name, an e-mail address, setting names.',
        }),
      }),
    ),
  },
  { description: 'The entries, newest first.' },
);

/** `GET /api/v1/sites/{id}/audit`: the changes that people made to a site, and their sign-ins. */
export function addAuditRoute(server: Server, deps: ReadDeps): void {
  const { audit } = deps.accounts;
  noteWrites(server, deps);
  server.route({
    method: 'GET',
    url: '/api/v1/sites/:id/audit',
    onRequest: requireRole(deps, 'admin'),
    schema: byPeople(
      'listChanges',
      'List the changes that people made to a site, and their sign-ins',
      {
        params: SitePath,
        querystring: Type.Object({
          limit: Type.Optional(
            Type.Integer({ minimum: 1, maximum: LIMIT.max, default: LIMIT.byDefault }),
          ),
        }),
        response: { 200: Entries, ...readErrors() },
      },
    ),
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

/** The API writes that people make, as the log names them. */
const DEEDS: ReadonlyMap<string, string> = new Map([
  ['correctPayment', 'payment corrected'],
  ['voidPayment', 'payment voided'],
  ['eraseVisitor', 'visitor erased'],
  ['separateVisitor', 'visitor separated'],
]);

/**
 * Records API writes made with a session instead of a key: corrected payments by their ids, and erased visitors
 * without, because an erased visitor must not remain in any store.
 */
function noteWrites(server: Server, { accounts }: ReadDeps): void {
  server.addHook('onResponse', (request, reply, done) => {
    if (isWrite(request) && reply.statusCode < 300) {
      const person = accounts.findPerson(request.headers.cookie);
      const { operationId = '', summary = '' } = request.routeOptions.schema ?? {};
      const what = DEEDS.get(operationId) ?? summary;
      const siteId = request.apiKey?.siteId ?? '';
      const { id } = request.params as { readonly id?: string };
      const about = (request.routeOptions.url === PAYMENT_URL && id) || '';
      if (person !== undefined) accounts.audit.note(person, { siteId, what, about });
    }
    done();
  });
}

function isWrite({ apiKey, method, routeOptions }: FastifyRequest): boolean {
  if (apiKey === null || !apiKey.id.startsWith('user_')) return false;
  return !['GET', 'HEAD'].includes(method) && routeOptions.config.isRead !== true;
}
