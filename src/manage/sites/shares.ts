import type { FastifyRequest } from 'fastify';
import { REMOVED, Removed } from '#contract/done.ts';
import { NewShareRequest, ShareAnswer, SharePath, SharesAnswer } from '#contract/sites/shares.ts';
import type { Share } from '#domain/account/share.ts';
import type { Site } from '#domain/site/site.ts';
import { toIsoOrNull } from '#domain/time/to-iso-or-null.ts';
import type { Breakdowns } from '#report/query/answer/answer-query.ts';
import { RefusedRequest, refuseFaults } from '#server/errors/errors.ts';
import { toServerUrl } from '#server/requests/server-url.ts';
import type { Server } from '#server/server-type.ts';
import { siteRoutes } from '../access/routes.ts';
import type { SiteAccess } from '../access/users.ts';
import { refuseField } from '../accounts/begin.ts';
import { assertNewName } from './saved/assert-new-name.ts';

/** More links than anybody can keep track of. */
const SHARES_MAX = 100;

type ShareDeps = SiteAccess<'shares'> & {
  readonly breakdowns: Pick<Breakdowns, 'findMoreFaults'>;
  readonly baseUrl: string | undefined;
};

/** `/api/v1/sites/{id}/shares`: links that show part of a site to people without a login. */
export function addShareRoutes(server: Server, deps: ShareDeps): void {
  const { shares } = deps.accounts;
  const add = siteRoutes(server, deps);
  const toAnswer = (request: FastifyRequest) => (share: Share) =>
    toShareAnswer(share, toServerUrl(request, deps.baseUrl));

  add('GET /shares', 'admin', {
    operation: ['listShares', 'List the shared links of a site'],
    answer: SharesAnswer,
    async handle({ site, request }) {
      return { shares: (await shares.list(site.id)).map(toAnswer(request)) };
    },
  });

  add('POST /shares', 'admin', {
    operation: ['createShare', 'Create a link that shows part of a site without a login'],
    body: NewShareRequest,
    answer: ShareAnswer,
    async handle({ site, user, request, body, note }) {
      const { name, password = '', panels, revenue = false, filters = [] } = body;
      assertFilters(deps.breakdowns, site, filters);
      const there = await shares.list(site.id);
      const names = there.map((each) => each.name);
      assertNewName(name, names, 'a link');
      if (there.length >= SHARES_MAX) {
        const message = `A site can have at most ${SHARES_MAX} shared links. Revoke one first.`;
        throw refuseFaults([{ path: '', message }]);
      }
      const made = await shares.make({
        ...{ siteId: site.id, createdBy: user.email },
        ...{ name: name.trim(), password, panels, hasRevenue: revenue, filters },
      });
      if (!made.ok) throw refuseField(made.error);
      const about = `${made.value.name} (${panels.join(', ')}${revenue ? ', with revenue' : ''})`;
      await note('link shared', about);
      return toAnswer(request)(made.value);
    },
  });

  add('DELETE /shares/:share', 'admin', {
    operation: ['revokeShare', 'Revoke a shared link immediately'],
    params: SharePath,
    answer: Removed,
    async handle({ site, params: { share: id }, note }) {
      const about = (await shares.list(site.id)).find((each) => each.id === id)?.name;
      if (about === undefined || !(await shares.remove(site.id, id))) {
        throw new RefusedRequest('not_found', 'The site has no such shared link.');
      }
      await note('shared link revoked', about);
      return REMOVED;
    },
  });
}

/** Refuses filters that would make every query of the link fail. */
function assertFilters(
  breakdowns: ShareDeps['breakdowns'],
  site: Site,
  filters: ShareAnswer['filters'],
): void {
  const query = { site_id: site.id, metrics: ['visitors'], date_range: '30d', filters };
  const faults = breakdowns.findMoreFaults(site, query, []);
  if (faults.length > 0) throw refuseFaults(faults);
}

function toShareAnswer(share: Share, server: string): ShareAnswer {
  const { id, name, token, passwordHash, hasRevenue, filters, lastUsedAt } = share;
  const url = `${server}/share/${token}`;
  return {
    ...{ id, name, url, embed_url: `${url}/embed`, has_password: passwordHash !== '' },
    panels: [...share.panels] as ShareAnswer['panels'],
    revenue: hasRevenue,
    filters: filters.map((each) => [...each]),
    created_at: new Date(share.createdAt).toISOString(),
    created_by: share.createdBy,
    last_used_at: toIsoOrNull(lastUsedAt),
  };
}
