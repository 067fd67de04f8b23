import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { readErrors } from '#contract/error.ts';
import type { Fault } from '#contract/fault.ts';
import { STORY_VISITS, StoryAnswer } from '#contract/story.ts';
import { VISITOR_ID_EXAMPLE } from '#contract/text.ts';
import { ATTRIBUTION_MODELS } from '#domain/attribution/models.ts';
import type { SentStory } from '#report/people/read-story.ts';
import type { Reports } from '#report/reports/create-reports.ts';
import { abortOnDisconnect } from '../answers/abort-on-disconnect.ts';
import { RefusedRequest, refuseFaults } from '../answers/errors.ts';
import { keyOf, requireKey } from '../requests/authenticate.ts';
import { readEnds, readParams, readWhole } from '../requests/read-params.ts';
import type { ReadDeps } from '../server/server-deps.ts';
import type { Server } from '../server/server-type.ts';
import { accepted, createNoteBehind, siteOf } from './report-route.ts';

const Text = (description: string) => Type.Optional(Type.String({ description }));
const PARAMS = {
  model: Type.Optional(Type.Enum([...ATTRIBUTION_MODELS], { default: ATTRIBUTION_MODELS[0] })),
  lookback_days: Text('A whole number of days from 1 to 730; all history by default.'),
  date_range: Text('The period of payments and goals: `30d`, `month`, `all` …'),
  from: Text('With `to`, instead of `date_range`: the first day or instant.'),
  to: Text('With `from`: the last day, or the instant to stop before.'),
  timezone: Text('An IANA time zone; the site’s own by default.'),
  limit: Text(`Visits per page: 1 to ${STORY_VISITS.max}; ${STORY_VISITS.byDefault} by default.`),
  cursor: Text('The `next_cursor` of the previous page.'),
};
const NAMES = Object.keys(PARAMS) as (keyof typeof PARAMS)[];

const ROUTES = [
  ['/api/v1/persons/:id', 'readPersonStory', 'Get a person’s whole story'],
  ['/api/v1/visitors/:id/story', 'readVisitorStory', 'Get the story of a visitor’s person'],
] as const;

const PERSON_ID = /^(?:~\d{1,15}|[A-Za-z0-9._:-]{1,128})$/;

/** `GET /api/v1/persons/{id}` and `GET /api/v1/visitors/{id}/story`. */
export function addStoryRoutes(
  server: Server,
  story: ReturnType<Reports['people']>['story'],
  deps: ReadDeps,
): void {
  const { keys, sites, limitReads } = deps;
  const noteBehind = createNoteBehind(deps.behindSeconds);
  for (const [url, operationId, summary] of ROUTES) {
    server.route({
      method: 'GET',
      url,
      onRequest: [requireKey(keys, 'stats:read'), ...limitReads],
      schema: {
        operationId,
        summary,
        description:
          'All visits with their events, and payments, goals, identities and credit. The credit equals `/api/v1/query` for the same `date_range` and attribution, to the cent.',
        tags: ['queries'],
        security: [{ key: ['stats:read'] }],
        params: Type.Object({ id: Type.String({ examples: [VISITOR_ID_EXAMPLE] }) }),
        querystring: Type.Object({ site_id: Text('The key’s own site.'), ...PARAMS }),
        response: { 200: StoryAnswer, ...readErrors() },
      },
      async handler(request, reply) {
        const { id } = request.params as { readonly id: string };
        const site = siteOf(deps, keyOf(request).siteId);
        const params = readStory(readParams(request, sites, NAMES), id);
        const sent = { ...params, site_id: site.id, id, isPersonal: isPersonal(request) };
        return abortOnDisconnect(reply, async (stops) => {
          const found = accepted(await story.answer(site, sent, stops));
          if (found !== undefined) return noteBehind(found);
          throw new RefusedRequest('not_found', `There is no person or visitor ${id}.`);
        });
      },
    });
  }
}

/** Whether a key may see e-mail addresses and names. */
export function isPersonal(request: FastifyRequest): boolean {
  return keyOf(request).scopes.includes('visitors:read');
}

type Sent = { readonly [Name in keyof typeof PARAMS]?: string };

function readStory(sent: Sent, id: string): Omit<SentStory, 'site_id' | 'id' | 'isPersonal'> {
  const faults: Fault[] = [];
  if (!PERSON_ID.test(id)) {
    const message =
      'must be 1 to 128 characters of A-Z, a-z, 0-9, ".", "_", ":" and "-", or "~" and a number';
    faults.push({ path: '/id', message });
  }
  const lookback_days = readWhole('lookback_days', sent.lookback_days, 730, faults);
  const limit = readWhole('limit', sent.limit, STORY_VISITS.max, faults);
  const date_range = readEnds(sent, 'date_range', faults) ?? sent.date_range ?? 'all';
  if (faults.length > 0) throw refuseFaults(faults);
  const { model, timezone, cursor } = sent;
  return {
    ...{ model, lookback_days, date_range, limit, cursor },
    ...(timezone !== undefined && { timezone }),
  };
}
