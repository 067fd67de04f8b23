import { toKeyAnswer } from '#contract/sites/key-answer.ts';
import {
  KeyAnswer,
  KeyPath,
  KeyRotation,
  KeysAnswer,
  MadeKeyAnswer,
  NewKeyRequest,
  OVERLAP_HOURS,
} from '#contract/sites/keys.ts';
import type { ApiKey, CreatedKey, NewApiKey } from '#domain/site/api-key.ts';
import { DAY_MS, HOUR_MS } from '#domain/time/durations.ts';
import { RefusedRequest } from '#server/errors/errors.ts';
import type { Server } from '#server/server-type.ts';
import { siteRoutes } from '../access/routes.ts';
import type { SiteAccess } from '../access/users.ts';

/** The keys in the ledger. */
export interface KeyStore {
  createKey(key: NewApiKey): Promise<CreatedKey>;
  /** Revoked and expired ones, too, oldest first. */
  listKeys(siteId: string): Promise<readonly ApiKey[]>;
  revokeKey(id: string): Promise<ApiKey | undefined>;
  /** Copies a key, which stays valid for the overlap. Undefined if it is not valid. */
  rotateKey(id: string, options: { readonly overlapMs: number }): Promise<CreatedKey | undefined>;
}

/** `/api/v1/sites/{id}/keys`: the API keys of a site. */
export function addKeyRoutes(
  server: Server,
  deps: SiteAccess & { readonly keyStore: KeyStore },
): void {
  const { keyStore } = deps;
  const add = siteRoutes(server, deps);

  add('GET /keys', 'admin', {
    operation: ['listKeys', 'List the API keys of a site'],
    answer: KeysAnswer,
    handle: async ({ site }) => ({ keys: (await keyStore.listKeys(site.id)).map(toKeyAnswer) }),
  });

  add('POST /keys', 'admin', {
    operation: ['createKey', 'Create an API key, which is shown only once'],
    body: NewKeyRequest,
    answer: MadeKeyAnswer,
    async handle({ site: { id: siteId }, body, note }) {
      const { name = '', expires_in_days: days } = body;
      const scopes = [...new Set(body.scopes)];
      const expiresAt = days && Date.now() + days * DAY_MS;
      const made = await toMade(
        await keyStore.createKey({ siteId, name, scopes, expiresAt }),
        siteId,
      );
      await note('key created', `${toLabel(made)}, ${body.scopes.join(', ')}`);
      return made;
    },
  });

  add('POST /keys/:key/rotate', 'admin', {
    operation: ['rotateKey', 'Replace a key with a new one; the old one stays valid for a while'],
    params: KeyPath,
    body: KeyRotation,
    answer: MadeKeyAnswer,
    async handle({ site, params, body, note }) {
      const key = await findKey(params.key, site.id);
      const { overlap_hours: hours = OVERLAP_HOURS } = body;
      const created = await keyStore.rotateKey(key.id, { overlapMs: hours * HOUR_MS });
      if (created === undefined) throw noKey();
      const made = await toMade(created, site.id);
      await note('key rotated', `${toLabel(key)}, now …${made.last4}`);
      return made;
    },
  });

  add('DELETE /keys/:key', 'admin', {
    operation: ['revokeKey', 'Revoke a key immediately'],
    params: KeyPath,
    answer: KeyAnswer,
    async handle({ site, params, note }) {
      const key = await findKey(params.key, site.id);
      const revoked = (await keyStore.revokeKey(key.id)) ?? key;
      await note('key revoked', toLabel(key));
      return toKeyAnswer(revoked);
    },
  });

  /** A key of the site. Other sites' keys count as missing. */
  async function findKey(id: string, siteId: string): Promise<ApiKey> {
    const key = (await keyStore.listKeys(siteId)).find((each) => each.id === id);
    if (key === undefined) throw noKey();
    return key;
  }

  async function toMade({ id, key }: CreatedKey, siteId: string) {
    return { ...toKeyAnswer(await findKey(id, siteId)), key };
  }
}

/** A key as people know it, and by its last characters, because keys may share a name. */
function toLabel({ name, last4 }: Pick<ApiKey, 'name' | 'last4'>): string {
  return `${name || 'Unnamed'} (…${last4})`;
}

function noKey(): RefusedRequest {
  return new RefusedRequest('not_found', 'The site has no such valid key.');
}
