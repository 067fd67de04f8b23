import { SHARE_HEADER } from '#contract/sites/share.ts';
import type { Share } from '#domain/account/share.ts';
import { toNetwork } from '#server/connections/to-network.ts';
import { RefusedRequest } from '#server/errors/errors.ts';
import type { Credential, KeyDirectory, SessionRequest } from '#server/requests/authenticate.ts';
import type { SiteAccess } from './users.ts';

/**
 * Extends a key directory with shared links. If a request names a link, its session is ignored, so
 * that somebody who is signed in sees what everybody sees. A key still takes precedence.
 */
export function withShares(keys: KeyDirectory, deps: SiteAccess<'shares'>): KeyDirectory {
  return {
    findKey: keys.findKey,
    refresh: keys.refresh,
    async findSessionKey(request): Promise<Credential | undefined> {
      if (request.headers[SHARE_HEADER] === undefined) return keys.findSessionKey?.(request);
      const share = await findOpenShare(deps, request);
      // The rate limit counts readers separately: one must not use up everybody's quota.
      const id = `${share.id} at ${toNetwork(request.ip)}`;
      return { id, siteId: share.siteId, scopes: [], share };
    },
  };
}

/** The link that a request names. Refuses an expired link, and one whose password has not been given. */
export async function findOpenShare(
  deps: SiteAccess<'shares'>,
  request: Pick<SessionRequest, 'headers'>,
): Promise<Share> {
  const { share, isOpen } = await findNamed(deps, request);
  if (!isOpen) throw new RefusedRequest('unauthorized', 'This link has a password.');
  // A failure, as on a full disk, must not fail the request: the next one tries again.
  await deps.accounts.shares.noteUse(share).catch(() => {});
  return share;
}

/** The link that a request names, even if its password has not been given. */
export async function findShare(
  deps: SiteAccess<'shares'>,
  request: Pick<SessionRequest, 'headers'>,
): Promise<Share> {
  return (await findNamed(deps, request)).share;
}

async function findNamed(
  { accounts, sites }: SiteAccess<'shares'>,
  { headers }: Pick<SessionRequest, 'headers'>,
) {
  const found = await accounts.shares.find(String(headers[SHARE_HEADER] ?? ''));
  if (found !== undefined && sites.findSite(found.share.siteId) !== undefined) return found;
  throw new RefusedRequest('not_found', 'This link is no longer valid. Ask for a new one.');
}
