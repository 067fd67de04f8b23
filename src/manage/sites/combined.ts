import type { onRequestHookHandler } from 'fastify';
import { CombinedAnswer, CombinedQuery } from '#contract/reports/combined.ts';
import type { User } from '#domain/account/user.ts';
import type { Site } from '#domain/site/site.ts';
import type { Reports } from '#report/reports/create-reports.ts';
import { abortOnDisconnect } from '#server/connections/abort-on-disconnect.ts';
import { refuseFaults } from '#server/errors/errors.ts';
import { readQuery } from '#server/requests/read-json.ts';
import type { Server } from '#server/server-type.ts';
import { addUserRoute } from '../access/routes.ts';
import { noAccess, requireUser, type SiteAccess } from '../access/users.ts';

type CombinedDeps = SiteAccess & {
  readonly combineSites: Reports['combineSites'];
  readonly limitReads: readonly onRequestHookHandler[];
};

/** `POST /api/v1/query/sites`: several sites as one, for users who may see them all. */
export function addCombinedRoute(server: Server, deps: CombinedDeps): void {
  const { combineSites, limitReads } = deps;
  addUserRoute(server, 'POST /api/v1/query/sites', requireUser(deps.accounts), {
    operation: ['querySites', 'Query several sites as one'],
    description:
      'Adds up several sites for a signed-in user who may see them: a key belongs to one site. Each site’s own time zone decides its days. Money is converted at the exchange rate of its day; money without one is in `meta.unconverted` and in no sum. Visitors of different sites count as different people.',
    body: CombinedQuery,
    answer: CombinedAnswer,
    limits: limitReads,
    isRead: true,
    readBody: readQuery,
    async handle({ user, body, reply }) {
      const sites = await findReadable(deps, user, body.site_ids);
      return abortOnDisconnect(reply, async (stops) => {
        const combined = await combineSites(sites, body, stops);
        if (combined.ok) return combined.value;
        throw refuseFaults(combined.error.details);
      });
    },
  });
}

/** The named sites, once each. Refuses them all if the user may not see one. */
async function findReadable(
  { accounts, sites }: CombinedDeps,
  user: User,
  named: readonly string[],
): Promise<readonly Site[]> {
  const found = named.map((each) => sites.findSite(each));
  for (const site of found) {
    if (site === undefined || !(await accounts.findRole(user, site.id))) throw noAccess();
  }
  return [...new Set(found.filter((site) => site !== undefined))];
}
