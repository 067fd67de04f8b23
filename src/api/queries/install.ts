import { InstallAnswer, InstallParams } from '#contract/sites/install.ts';
import type { Site } from '#domain/site/site.ts';
import type { VerifyInstall } from '#report/install/verify-install.ts';
import { ofAnotherSite, readParams } from '#server/requests/read-params.ts';
import { toServerUrl } from '#server/requests/server-url.ts';
import type { Server } from '#server/server-type.ts';
import type { ReadAccess } from '../key-route.ts';
import { addKeyRoute } from '../key-route.ts';

type InstallDeps = Omit<ReadAccess, 'sites'> & {
  readonly sites: { findSite(named: string): Site | undefined };
  readonly verifyInstall: VerifyInstall;
  readonly baseUrl: string | undefined;
};

/** `GET /api/v1/install`: what is installed of the site, in words. */
export function addInstallRoute(server: Server, deps: InstallDeps): void {
  const { keys, sites, limitReads, verifyInstall, baseUrl } = deps;
  addKeyRoute(server, keys, 'GET /api/v1/install', 'stats:read', {
    operation: ['verifyInstall', 'Check what is installed, and get the lines to add'],
    description:
      'Says in words when the last pageview and goal arrived and what the last payment is attributed to. What is missing comes with the line to add: the script’s tag, or a request with `curl`.',
    tags: ['queries'],
    querystring: InstallParams,
    answer: InstallAnswer,
    limits: limitReads,
    handle({ request, siteId }) {
      readParams(request, sites, []);
      const site = sites.findSite(siteId);
      if (site === undefined) throw ofAnotherSite();
      return verifyInstall(site, toServerUrl(request, baseUrl));
    },
  });
}
