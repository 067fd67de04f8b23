import type { FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import { readErrors } from '#contract/error.ts';
import type { Fault } from '#contract/fault.ts';
import { refuseFaults } from '../../answers/errors.ts';
import { requireRole } from '../../requests/people.ts';
import { readWhole } from '../../requests/read-params.ts';
import type { ReadDeps } from '../../server/server-deps.ts';
import type { Server } from '../../server/server-type.ts';
import { PAYMENT_URL } from '../payment-list.ts';
import { byPeople, requireOwner, SitePath, siteOfPath } from '../sites/site-request.ts';

const LIMIT = { max: 1_000, byDefault: 100 } as const;

const Entries = Type.Object(
  {
    entries: Type.Array(
      Type.Object({
        at: Type.String(),
        site: Type.Union([Type.String(), Type.Null()], {
          description: 'The site’s domain; null if it has none, or the site is gone.',
        }),
        user_id: Type.String({ description: 'Empty for commands and failed sign-ins.' }),
        who: Type.String({ description: 'The person’s e-mail address at that time.' }),
        what: Type.String({ description: 'The action, such as `key created`.' }),
        about: Type.String({ description: 'Its object: a key’s name, an address, settings.' }),
      }),
    ),
  },
  { description: 'The entries, newest first.' },
);

const Limited = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMIT.max, default: LIMIT.byDefault })),
});

/** `GET /api/v1/sites/{id}/audit` and `/api/v1/audit`: changes that people made, and their sign-ins. */
export function addAuditRoutes(server: Server, deps: ReadDeps): void {
  noteWrites(server, deps);
  server.route({
    method: 'GET',
    url: '/api/v1/sites/:id/audit',
    onRequest: requireRole(deps, 'admin'),
    schema: byPeople(
      'listChanges',
      'List the changes that people made to a site, and their sign-ins',
      { params: SitePath, querystring: Limited, response: { 200: Entries, ...readErrors() } },
    ),
    handler: ({ params, query }) => list(deps, query, siteOfPath(deps, params).id),
  });
  server.route({
    method: 'GET',
    url: '/api/v1/audit',
    onRequest: requireOwner(deps),
    schema: byPeople('listAllChanges', 'List the changes on the server, sign-ins and commands', {
      querystring: Limited,
      response: { 200: Entries, ...readErrors() },
    }),
    handler: ({ query }) => list(deps, query),
  });
}

async function list(
  { accounts, siteStore }: ReadDeps,
  query: Static<typeof Limited>,
  siteId?: string,
) {
  const faults: Fault[] = [];
  const limit = readWhole('limit', query.limit, LIMIT.max, faults) ?? LIMIT.byDefault;
  if (faults.length > 0) throw refuseFaults(faults);
  const entries = (await accounts.audit.list(siteId, limit)).map(
    ({ at, siteId: id, userId, ...entry }) => {
      const site = siteStore.findSite(id)?.domain ?? null;
      return { at: new Date(at).toISOString(), site, user_id: userId, ...entry };
    },
  );
  return { entries };
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
  server.addHook('onResponse', async (request, reply) => {
    if (isWrite(request) && reply.statusCode < 300) {
      const person = await accounts.findPerson(request.headers.cookie);
      const { operationId = '', summary = '' } = request.routeOptions.schema ?? {};
      const what = DEEDS.get(operationId) ?? summary;
      const siteId = request.apiKey?.siteId ?? '';
      const { id } = request.params as { readonly id?: string };
      const about = (request.routeOptions.url === PAYMENT_URL && id) || '';
      if (person !== undefined) await accounts.audit.note(person, { siteId, what, about });
    }
  });
}

function isWrite({ apiKey, method, routeOptions }: FastifyRequest): boolean {
  if (apiKey?.personId === undefined) return false;
  return !['GET', 'HEAD'].includes(method) && routeOptions.config.isRead !== true;
}
