import type { onRequestHookHandler } from 'fastify';
import { SHARE_PANEL_NAMES } from '#contract/sites/share.ts';
import { OpenedShareAnswer, OpenShareRequest, SharedAnswer } from '#contract/sites/shares.ts';
import { RefusedRequest } from '#server/errors/errors.ts';
import type { Server } from '#server/server-type.ts';
import { findOrigin } from '../access/find-origin.ts';
import { addOpenRoute } from '../access/routes.ts';
import { findOpenShare, findShare } from '../access/shares.ts';
import { requireOwnOrigin, type SiteAccess } from '../access/users.ts';
import { takeTry } from '../accounts/logins.ts';

type SharedDeps = SiteAccess<'shares' | 'signInLimit'> & {
  readonly siteStore: { hasPayments(siteId: string): Promise<boolean> };
  readonly limitReads: readonly onRequestHookHandler[];
};

/** `GET /api/v1/share`, and `POST /api/v1/share/open`: for people with a shared link. */
export function addSharedRoutes(server: Server, deps: SharedDeps): void {
  const { accounts, sites, siteStore } = deps;
  const security = [{ share: [] }];

  addOpenRoute(server, 'GET /api/v1/share', deps.limitReads, {
    operation: ['findShared', 'Get the contents of a shared link'],
    description: '401 if its password has not been given yet, 404 if the link is no longer valid.',
    security,
    answer: SharedAnswer,
    async handle({ request }) {
      const share = await findOpenShare({ accounts, sites }, request);
      const site = sites.findSite(share.siteId);
      if (site === undefined) {
        throw new RefusedRequest('not_found', 'This link is no longer valid.');
      }
      const { domain, name, timezone, currency } = site;
      return {
        site: { domain, name: name || domain, timezone, currency },
        panels: SHARE_PANEL_NAMES.filter((each) => share.panels.includes(each)),
        revenue: share.hasRevenue && (await siteStore.hasPayments(share.siteId)),
        filters: share.filters.map((each) => [...each]),
      };
    },
  });

  addOpenRoute(server, 'POST /api/v1/share/open', [requireOwnOrigin(accounts)], {
    operation: ['openShare', 'Open a shared link with its password'],
    description: 'Returns a token that is valid for twelve hours. Wrong passwords are slowed down.',
    security,
    body: OpenShareRequest,
    answer: OpenedShareAnswer,
    isRead: true,
    async handle({ request, body: { password } }) {
      const share = await findShare({ accounts, sites }, request);
      const attempt = { account: share.id, password, ...findOrigin(request) };
      takeTry(accounts, attempt);
      const opened = await accounts.shares.open(share, password);
      if (opened === undefined) {
        throw new RefusedRequest('unauthorized', 'The password is wrong.');
      }
      accounts.signInLimit.succeeded(attempt);
      return { token: opened.credential, expires_at: new Date(opened.expiresAt).toISOString() };
    },
  });
}
