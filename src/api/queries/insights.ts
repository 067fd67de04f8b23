import { InsightsAnswer, InsightsParams } from '#contract/reports/insights.ts';
import type { Reports } from '#report/reports/create-reports.ts';
import { abortOnDisconnect } from '#server/connections/abort-on-disconnect.ts';
import { readParams } from '#server/requests/read-params.ts';
import type { Server } from '#server/server-type.ts';
import { addKeyRoute } from '../key-route.ts';
import { createNoteBehind, type QueryAccess, siteOf } from './report-route.ts';

/** `GET /api/v1/insights`: what is worth knowing of the last week. */
export function addInsightsRoute(
  server: Server,
  { insights, ...access }: QueryAccess & Pick<Reports, 'insights'>,
): void {
  const noteBehind = createNoteBehind(access.behindSeconds);
  addKeyRoute(server, access.keys, 'GET /api/v1/insights', 'stats:read', {
    operation: ['insights', 'Get what stands out in the last week'],
    description:
      'At most five sentences about the last seven whole days, each with its figures. What may be chance is left out. See docs/reports.md.',
    tags: ['queries'],
    querystring: InsightsParams,
    answer: InsightsAnswer,
    limits: access.limitReads,
    handle({ request, reply, siteId }) {
      readParams(request, access.sites, []);
      const site = siteOf(access, siteId);
      return abortOnDisconnect(reply, async (stops) => noteBehind(await insights(site, stops)));
    },
  });
}
