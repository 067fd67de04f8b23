import type { FastifyRequest } from 'fastify';
import type { Fault } from '#contract/fault.ts';
import { AuditAnswer, AuditParams } from '#contract/sites/audit.ts';
import { AUDIT_LIMIT } from '#domain/account/audit.ts';
import { refuseFaults } from '#server/errors/errors.ts';
import { readWhole } from '#server/requests/read-params.ts';
import type { Server } from '#server/server-type.ts';
import { addUserRoute, siteRoutes } from '../access/routes.ts';
import { requireOwner, type SiteAccess } from '../access/users.ts';

/** `GET /api/v1/sites/{id}/audit` and `/api/v1/audit`: changes that people made, and their sign-ins. */
export function addAuditRoutes(server: Server, deps: SiteAccess): void {
  noteWrites(server, deps.accounts);
  const add = siteRoutes(server, deps);
  add('GET /audit', 'admin', {
    operation: ['listChanges', 'List the changes that users made to a site, and their sign-ins'],
    querystring: AuditParams,
    answer: AuditAnswer,
    handle: ({ site, request }) => list(deps, request, site.id),
  });
  addUserRoute(server, 'GET /api/v1/audit', requireOwner(deps.accounts), {
    operation: ['listAllChanges', 'List the changes on the server, sign-ins and commands'],
    querystring: AuditParams,
    answer: AuditAnswer,
    handle: ({ request }) => list(deps, request),
  });
}

async function list({ accounts, sites }: SiteAccess, { query }: FastifyRequest, siteId?: string) {
  const faults: Fault[] = [];
  const { max, byDefault } = AUDIT_LIMIT;
  const limit = readWhole('limit', (query as AuditParams).limit, max, faults) ?? byDefault;
  if (faults.length > 0) throw refuseFaults(faults);
  const entries = (await accounts.audit.list(siteId, limit)).map(
    ({ at, siteId: id, userId, ...entry }) => {
      const site = sites.findSite(id)?.domain ?? null;
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
function noteWrites(server: Server, accounts: SiteAccess['accounts']): void {
  server.addHook('onResponse', async (request, reply) => {
    if (isWrite(request) && reply.statusCode < 300) {
      const user = await accounts.findUser(request.headers.cookie);
      const { operationId = '', summary = '' } = request.routeOptions.schema ?? {};
      const what = DEEDS.get(operationId) ?? summary;
      const siteId = request.apiKey?.siteId ?? '';
      const { id } = request.params as { readonly id?: string };
      const about = (operationId.endsWith('Payment') && id) || '';
      if (user !== undefined) await accounts.audit.note(user, { siteId, what, about });
    }
  });
}

function isWrite({ apiKey, method, routeOptions }: FastifyRequest): boolean {
  if (apiKey?.userId === undefined) return false;
  return !['GET', 'HEAD'].includes(method) && routeOptions.config.isRead !== true;
}
