import type { FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import type { Share } from '#accounts/shares.ts';
import { bodyErrors, readErrors } from '#contract/error.ts';
import type { QUERY_FIELDS } from '#contract/query-fields.ts';
import { Strict } from '#contract/query-fields.ts';
import { SHARE_PANEL_NAMES } from '#contract/sites/share.ts';
import type { Site } from '#ledger/sites/sites.ts';
import { RefusedRequest, refuseFaults } from '../../answers/errors.ts';
import { personOf, requireRole } from '../../requests/people.ts';
import type { ReadDeps } from '../../server/server-deps.ts';
import type { Server } from '../../server/server-type.ts';
import { toRefused } from '../accounts/begin.ts';
import { assertNewName } from './saved/assert-new-name.ts';
import { byPeople, Removed, SitePath, siteOfPath, takesJson, toIso } from './site-request.ts';

/** More links than anybody can keep track of. */
const SHARES_MAX = 100;
const FILTERS_MAX = 20;

const SharePath = Type.Object({ ...SitePath.properties, share: Type.String() });
const Panels = Type.Array(Type.Enum([...SHARE_PANEL_NAMES]), {
  ...{ minItems: 1, maxItems: SHARE_PANEL_NAMES.length, uniqueItems: true },
  description: '`figures` stands for the cards and the chart; the others are tabs of the panels.',
});
const Filters = Type.Array(Type.Array(Type.Unknown()), {
  maxItems: FILTERS_MAX,
  description:
    'Filters as in a query. They apply to everything the link shows, and are visible there.',
});

const ShareAnswer = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    url: Type.String({ description: 'The link to share.' }),
    embed_url: Type.String({ description: 'The link to embed in a frame on another site.' }),
    has_password: Type.Boolean(),
    panels: Panels,
    revenue: Type.Boolean(),
    filters: Filters,
    created_at: Type.String(),
    created_by: Type.String(),
    last_used_at: Type.Union([Type.String(), Type.Null()], {
      description: 'The last use, accurate to a minute.',
    }),
  },
  { description: 'The shared link.' },
);
const List = Type.Object(
  { shares: Type.Array(ShareAnswer) },
  { description: 'The shared links of the site, oldest first.' },
);
const NewShareBody = Strict({
  name: Type.String({
    maxLength: 100,
    description: 'An internal name, unique among the links of the site; the shared page hides it.',
  }),
  password: Type.Optional(Type.String({ description: '10 to 200 characters; none by default.' })),
  panels: Panels,
  revenue: Type.Optional(
    Type.Boolean({ description: 'Whether money metrics are shown; false by default.' }),
  ),
  filters: Type.Optional(Filters),
});

/** `/api/v1/sites/{id}/shares`: links that show part of a site to people without a login. */
export function addShareRoutes(server: Server, deps: ReadDeps): void {
  const { shares, audit } = deps.accounts;
  const url = '/api/v1/sites/:id/shares';
  const requireAdmin = requireRole(deps, 'admin');
  const toAnswer = (request: FastifyRequest) => (share: Share) =>
    toShareAnswer(share, deps.settings.baseUrl ?? `${request.protocol}://${request.host}`);

  server.route({
    method: 'GET',
    url,
    onRequest: requireAdmin,
    schema: byPeople('listShares', 'List the shared links of a site', {
      params: SitePath,
      response: { 200: List, ...readErrors() },
    }),
    async handler(request) {
      const { id: siteId } = siteOfPath(deps, request.params);
      return { shares: (await shares.list(siteId)).map(toAnswer(request)) };
    },
  });

  server.route({
    method: 'POST',
    url,
    ...takesJson(requireAdmin),
    schema: byPeople('createShare', 'Create a link that shows part of a site without a login', {
      params: SitePath,
      body: NewShareBody,
      response: { 200: ShareAnswer, ...bodyErrors() },
    }),
    async handler(request) {
      const site = siteOfPath(deps, request.params);
      const { name, password = '', panels, revenue = false, filters = [] } = request.body;
      assertFilters(deps, site, filters);
      const there = await shares.list(site.id);
      const names = there.map((each) => each.name);
      assertNewName(name, names, 'a link');
      if (there.length >= SHARES_MAX) {
        const message = `A site can have at most ${SHARES_MAX} shared links. Revoke one first.`;
        throw refuseFaults([{ path: '', message }]);
      }
      const person = personOf(request);
      const made = await shares.make({
        ...{ siteId: site.id, createdBy: person.email },
        ...{ name: name.trim(), password, panels, hasRevenue: revenue, filters },
      });
      if (!made.ok) throw toRefused(made.error);
      const about = `${made.value.name} (${panels.join(', ')}${revenue ? ', with revenue' : ''})`;
      await audit.note(person, { siteId: site.id, what: 'link shared', about });
      return toAnswer(request)(made.value);
    },
  });

  server.route({
    method: 'DELETE',
    url: `${url}/:share`,
    onRequest: requireAdmin,
    schema: byPeople('revokeShare', 'Revoke a shared link immediately', {
      params: SharePath,
      response: { 200: Removed, ...readErrors() },
    }),
    async handler(request) {
      const { id: siteId } = siteOfPath(deps, request.params);
      const { share: id } = request.params;
      const about = (await shares.list(siteId)).find((each) => each.id === id)?.name;
      if (about === undefined || !(await shares.remove(siteId, id))) {
        throw new RefusedRequest('not_found', 'The site has no such shared link.');
      }
      await audit.note(personOf(request), { siteId, what: 'shared link revoked', about });
      return { removed: true as const };
    },
  });
}

/** Refuses filters that would make every query of the link fail. */
function assertFilters(
  { reports }: ReadDeps,
  site: Site,
  filters: NonNullable<Static<typeof QUERY_FIELDS.filters>>,
): void {
  const query = { site_id: site.id, metrics: ['visitors'], date_range: '30d', filters };
  const faults = reports.breakdowns.findMoreFaults(site, query, []);
  if (faults.length > 0) throw refuseFaults(faults);
}

function toShareAnswer(share: Share, server: string): Static<typeof ShareAnswer> {
  const { id, name, token, passwordHash, hasRevenue, filters, lastUsedAt } = share;
  const url = `${server}/share/${token}`;
  return {
    ...{ id, name, url, embed_url: `${url}/embed`, has_password: passwordHash !== '' },
    panels: [...share.panels] as Static<typeof Panels>,
    revenue: hasRevenue,
    filters: filters.map((each) => [...each]),
    created_at: new Date(share.createdAt).toISOString(),
    created_by: share.createdBy,
    last_used_at: toIso(lastUsedAt),
  };
}
