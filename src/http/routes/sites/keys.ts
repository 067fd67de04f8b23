import Type, { type Static } from 'typebox';
import { bodyErrors, readErrors } from '#contract/error.ts';
import { Strict } from '#contract/query-fields.ts';
import { SCOPES } from '#contract/scope.ts';
import { type ApiKey, type CreatedKey, stateOf } from '#ledger/keys/keys.ts';
import { RefusedRequest } from '../../answers/errors.ts';
import { personOf, requireRole } from '../../requests/people.ts';
import type { ReadDeps } from '../../server/server-deps.ts';
import type { Server } from '../../server/server-type.ts';
import { byPeople, SitePath, siteOfPath, takesJson, toIso } from './site-request.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const OVERLAP_HOURS = 24;

const KeyPath = Type.Object({ ...SitePath.properties, key: Type.String() });
const Instant = Type.Union([Type.String(), Type.Null()]);

const properties = {
  id: Type.String(),
  name: Type.String(),
  scopes: Type.Array(Type.String()),
  prefix: Type.String({ description: 'The first characters of the key.' }),
  last4: Type.String({ description: 'The last four characters of the key.' }),
  state: Type.Enum(['live', 'revoked', 'expired']),
  created_at: Type.String(),
  expires_at: Instant,
  revoked_at: Instant,
  last_used_at: Type.Union([Type.String(), Type.Null()], {
    description: 'The last use, accurate to a minute.',
  }),
};
const Key = Type.Object(properties, { title: 'Key', description: 'The key, without its secret.' });
const Keys = Type.Object(
  { keys: Type.Array(Key) },
  { description: 'The keys of the site, oldest first, including revoked and expired ones.' },
);
const MadeKey = Type.Object(
  { ...properties, key: Type.String({ description: 'The key itself. It is not shown again.' }) },
  { description: 'The new key.' },
);
const NewKeyBody = Strict({
  name: Type.Optional(Type.String({ maxLength: 100 })),
  scopes: Type.Array(Type.Enum([...SCOPES]), { minItems: 1, maxItems: SCOPES.length }),
  expires_in_days: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 36_500, description: 'By default, it never expires.' }),
  ),
});
const RotateBody = Strict({
  overlap_hours: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 8_760,
      description: `How long the old key stays valid; ${OVERLAP_HOURS} by default.`,
    }),
  ),
});

/** `/api/v1/sites/{id}/keys`: the API keys of a site. */
export function addKeyRoutes(server: Server, deps: ReadDeps): void {
  const { accounts, siteStore } = deps;
  const url = '/api/v1/sites/:id/keys';
  const requireAdmin = requireRole(deps, 'admin');

  server.route({
    method: 'GET',
    url,
    onRequest: requireAdmin,
    schema: byPeople('listKeys', 'List the API keys of a site', {
      params: SitePath,
      response: { 200: Keys, ...readErrors() },
    }),
    async handler({ params }) {
      const site = siteOfPath(deps, params);
      return { keys: (await siteStore.listKeys(site.id)).map(toAnswer) };
    },
  });

  server.route({
    method: 'POST',
    url,
    ...takesJson(requireAdmin),
    schema: byPeople('createKey', 'Create an API key, which is shown only once', {
      params: SitePath,
      body: NewKeyBody,
      response: { 200: MadeKey, ...bodyErrors() },
    }),
    async handler(request) {
      const { id: siteId } = siteOfPath(deps, request.params);
      const { name = '', scopes, expires_in_days: days } = request.body;
      const expiresAt = days && Date.now() + days * DAY_MS;
      const created = await siteStore.createKey({
        siteId,
        name,
        expiresAt,
        scopes: [...new Set(scopes)],
      });
      const made = await toMade(siteId, created);
      const about = `${toLabel(made)}, ${scopes.join(', ')}`;
      await accounts.audit.note(personOf(request), { siteId, what: 'key created', about });
      return made;
    },
  });

  server.route({
    method: 'POST',
    url: `${url}/:key/rotate`,
    ...takesJson(requireAdmin),
    schema: byPeople(
      'rotateKey',
      'Replace a key by a new one; the old one stays valid for a while',
      { params: KeyPath, body: RotateBody, response: { 200: MadeKey, ...bodyErrors() } },
    ),
    async handler(request) {
      const { siteId, key } = await findKey(request.params);
      const { overlap_hours: hours = OVERLAP_HOURS } = request.body;
      const created = await siteStore.rotateKey(key.id, { overlapMs: hours * HOUR_MS });
      if (created === undefined) throw noKey();
      const made = await toMade(siteId, created);
      const about = `${toLabel(key)}, now …${made.last4}`;
      await accounts.audit.note(personOf(request), { siteId, what: 'key rotated', about });
      return made;
    },
  });

  server.route({
    method: 'DELETE',
    url: `${url}/:key`,
    onRequest: requireAdmin,
    schema: byPeople('revokeKey', 'Revoke a key immediately', {
      params: KeyPath,
      response: { 200: Key, ...readErrors() },
    }),
    async handler(request) {
      const { siteId, key } = await findKey(request.params);
      const revoked = (await siteStore.revokeKey(key.id)) ?? key;
      await accounts.audit.note(personOf(request), {
        siteId,
        what: 'key revoked',
        about: toLabel(key),
      });
      return toAnswer(revoked);
    },
  });

  /** A key of the site. Other sites' keys count as missing. */
  async function findKey({ id, key: keyId }: Static<typeof KeyPath>) {
    const { id: siteId } = siteOfPath(deps, { id });
    const key = (await siteStore.listKeys(siteId)).find((each) => each.id === keyId);
    if (key === undefined) throw noKey();
    return { siteId, key };
  }

  async function toMade(siteId: string, { id, key }: CreatedKey) {
    return { ...toAnswer((await findKey({ id: siteId, key: id })).key), key };
  }
}

/** A key as people know it, and by its last characters, because keys may share a name. */
function toLabel({ name, last4 }: Pick<ApiKey, 'name' | 'last4'>): string {
  return `${name || 'Unnamed'} (…${last4})`;
}

function noKey(): RefusedRequest {
  return new RefusedRequest('not_found', 'The site has no such valid key.');
}

function toAnswer(key: ApiKey): Static<typeof Key> {
  return {
    id: key.id,
    name: key.name,
    scopes: [...key.scopes],
    prefix: key.prefix,
    last4: key.last4,
    state: stateOf(key, Date.now()),
    created_at: new Date(key.createdAt).toISOString(),
    expires_at: toIso(key.expiresAt),
    revoked_at: toIso(key.revokedAt),
    last_used_at: toIso(key.lastUsedAt),
  };
}
