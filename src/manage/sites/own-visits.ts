import { OwnVisitsAnswer, OwnVisitsPath, OwnVisitsRequest } from '#contract/sites/own-visits.ts';
import { countsWithoutCookie } from '#domain/site/counts-without-cookie.ts';
import { OWN_VISITS_PARAM, type OwnVisitsLink } from '#domain/site/own-visits.ts';
import type { Site } from '#domain/site/site.ts';
import { RefusedRequest } from '#server/errors/errors.ts';
import type { Server } from '#server/server-type.ts';
import { siteRoutes } from '../access/routes.ts';
import type { SiteAccess } from '../access/users.ts';

const OVER = 'The link has expired: it lasts ten minutes. Ask for a new one.';

type OwnVisitsDeps = SiteAccess & {
  readonly ownVisits: {
    open(siteId: string, isExcluded: boolean): OwnVisitsLink;
    find(siteId: string, id: string): OwnVisitsLink | undefined;
  };
};

/** `/api/v1/sites/{id}/own-visits`: links by which users leave their own browsers out of the figures. */
export function addOwnVisitsRoutes(server: Server, deps: OwnVisitsDeps): void {
  const { ownVisits } = deps;
  const add = siteRoutes(server, deps);
  add('POST /own-visits', 'viewer', {
    operation: ['openOwnVisitsLink', 'Open a link that leaves your browser out of the figures'],
    body: OwnVisitsRequest,
    answer: OwnVisitsAnswer,
    handle({ site, body, request }) {
      const isCookieless = countsWithoutCookie(site.settings, request.headers['sec-gpc'] === '1');
      const link = toAnswer(site, ownVisits.open(site.id, body.excluded));
      return isCookieless ? { ...link, state: 'cookieless' as const } : link;
    },
  });
  add('GET /own-visits/:link', 'viewer', {
    operation: ['getOwnVisitsLink', 'See whether a page was opened by the link'],
    params: OwnVisitsPath,
    answer: OwnVisitsAnswer,
    handle({ site, params }) {
      const link = ownVisits.find(site.id, params.link);
      if (link === undefined) throw new RefusedRequest('not_found', OVER);
      return toAnswer(site, link);
    },
  });
}

function toAnswer(site: Site, { id, isExcluded, state }: OwnVisitsLink): OwnVisitsAnswer {
  const url = `https://${site.domain}/?${OWN_VISITS_PARAM}=${id}`;
  return { id, url, excluded: isExcluded, state };
}
