import type { Accounts } from '#accounts/open-accounts.ts';
import type { Share } from '#accounts/shares.ts';
import { SHARE_HEADER } from '#contract/sites/share.ts';
import type { SiteDirectory } from '#ingest/ports.ts';
import { RefusedRequest } from '../answers/errors.ts';
import type { ApiKey, KeyDirectory, SessionRequest } from './authenticate.ts';
import { toNetwork } from './to-network.ts';

type ShareDeps = { readonly accounts: Accounts; readonly sites: SiteDirectory };

/**
 * A directory that knows shared links beside keys and sessions. Where a request names a link, nothing
 * else counts but a key: somebody who is signed in sees what everybody sees.
 */
export function withShares(
  keys: KeyDirectory,
  accounts: Accounts,
  sites: SiteDirectory,
): KeyDirectory {
  return {
    findKey: keys.findKey,
    findSessionKey(request): ApiKey | undefined {
      if (request.headers[SHARE_HEADER] === undefined) return keys.findSessionKey?.(request);
      const share = findOpenShare({ accounts, sites }, request);
      // Readers are counted one by one: one must not use up what all may ask.
      const id = `${share.id} at ${toNetwork(request.ip)}`;
      return { id, siteId: share.siteId, scopes: [], share };
    },
  };
}

/** The link that a request names. Refuses one that is over, and one whose password is wanted first. */
export function findOpenShare(deps: ShareDeps, request: Pick<SessionRequest, 'headers'>): Share {
  const { share, isOpen } = findNamed(deps, request);
  if (!isOpen) throw new RefusedRequest('unauthorized', 'This link has a password.');
  noteUse(deps.accounts, share);
  return share;
}

/** The same, whether its password is known or not. */
export function findShare(deps: ShareDeps, request: Pick<SessionRequest, 'headers'>): Share {
  return findNamed(deps, request).share;
}

function findNamed({ accounts, sites }: ShareDeps, { headers }: Pick<SessionRequest, 'headers'>) {
  const found = accounts.shares.find(String(headers[SHARE_HEADER] ?? ''));
  if (found !== undefined && sites.findSite(found.share.siteId) !== undefined) return found;
  throw new RefusedRequest('not_found', 'This link is over. Ask for another one.');
}

/** That it was used is worth nothing on a full disk, say; what it shows is. */
function noteUse({ shares }: Accounts, share: Share): void {
  try {
    shares.noteUse(share);
  } catch {
    // It is tried again with the next request.
  }
}
