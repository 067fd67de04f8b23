import Type from 'typebox';
import { bodyErrors, readErrors } from '#contract/error.ts';
import { Strict } from '#contract/query-fields.ts';
import { SHARE_PANEL_NAMES } from '#contract/sites/share.ts';
import { RefusedRequest } from '../../answers/errors.ts';
import { findOrigin } from '../../requests/find-origin.ts';
import { requireOwnOrigin } from '../../requests/people.ts';
import { findOpenShare, findShare } from '../../requests/shares.ts';
import type { ReadDeps } from '../../server/server-deps.ts';
import type { Server } from '../../server/server-type.ts';
import { takeTry } from '../accounts/logins.ts';
import { SITE_FIELDS, takesJson } from './site-request.ts';

const Shared = Type.Object(
  {
    site: Type.Object(SITE_FIELDS),
    panels: Type.Array(Type.Enum([...SHARE_PANEL_NAMES])),
    revenue: Type.Boolean({ description: 'Whether money is shown. Not before the first payment.' }),
    filters: Type.Array(Type.Array(Type.Unknown()), {
      description: 'Filters that apply to everything the link shows.',
    }),
  },
  { description: 'The contents of the link.' },
);
const Opened = Type.Object(
  {
    token: Type.String({ description: 'Send it as `X-Share-Token` from now on.' }),
    expires_at: Type.String(),
  },
  { description: 'The password is correct.' },
);
const OpenBody = Strict({ password: Type.String({ maxLength: 1_000 }) });

/** `GET /api/v1/share`, and `POST /api/v1/share/open`: for people with a shared link. */
export function addSharedRoutes(server: Server, deps: ReadDeps): void {
  const { accounts, sites, siteStore } = deps;
  const described = { tags: ['people'], security: [{ share: [] }] };

  server.route({
    method: 'GET',
    url: '/api/v1/share',
    onRequest: [...deps.limitReads],
    schema: {
      operationId: 'findShared',
      summary: 'Get the contents of a shared link',
      description:
        '401 if its password has not been given yet, 404 if the link is no longer valid.',
      ...described,
      response: { 200: Shared, ...readErrors() },
    },
    async handler(request) {
      const share = await findOpenShare({ accounts, sites }, request);
      const site = siteStore.findSite(share.siteId);
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

  server.route({
    method: 'POST',
    url: '/api/v1/share/open',
    config: { isRead: true },
    ...takesJson(requireOwnOrigin(accounts)),
    schema: {
      operationId: 'openShare',
      summary: 'Open a shared link with its password',
      description:
        'Returns a token that is valid for twelve hours. Wrong passwords are slowed down.',
      ...described,
      body: OpenBody,
      response: { 200: Opened, ...bodyErrors() },
    },
    async handler(request) {
      const share = await findShare({ accounts, sites }, request);
      const { password } = request.body;
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
