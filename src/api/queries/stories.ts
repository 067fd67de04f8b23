import type { FastifyRequest } from 'fastify';
import type { Fault } from '#contract/fault.ts';
import {
  STORY_PARAMS,
  STORY_VISITS,
  StoryAnswer,
  StoryParams,
  StoryPath,
} from '#contract/story.ts';
import type { SentStory } from '#report/people/read-story.ts';
import type { Reports } from '#report/reports/create-reports.ts';
import { abortOnDisconnect } from '#server/connections/abort-on-disconnect.ts';
import { RefusedRequest, refuseFaults } from '#server/errors/errors.ts';
import { keyOf } from '#server/requests/authenticate.ts';
import { readEnds, readParams, readWhole } from '#server/requests/read-params.ts';
import type { Server } from '#server/server-type.ts';
import { addKeyRoute } from '../key-route.ts';
import { accepted, createNoteBehind, type QueryAccess, siteOf } from './report-route.ts';

const NAMES = Object.keys(STORY_PARAMS) as (keyof typeof STORY_PARAMS)[];

const ROUTES = [
  ['GET /api/v1/persons/:id', 'readPersonStory', 'Get a person’s whole story'],
  ['GET /api/v1/visitors/:id/story', 'readVisitorStory', 'Get the story of a visitor’s person'],
] as const;

const PERSON_ID = /^(?:~\d{1,15}|[A-Za-z0-9._:-]{1,128})$/;

/** `GET /api/v1/persons/{id}` and `GET /api/v1/visitors/{id}/story`. */
export function addStoryRoutes(
  server: Server,
  access: QueryAccess,
  story: ReturnType<Reports['people']>['story'],
): void {
  const { keys, sites, limitReads } = access;
  const noteBehind = createNoteBehind(access.behindSeconds);
  for (const [at, ...operation] of ROUTES) {
    addKeyRoute(server, keys, at, 'stats:read', {
      operation,
      description:
        'All visits with their events, and payments, goals, identities and credit. The credit equals `/api/v1/query` for the same `date_range` and attribution, to the cent.',
      tags: ['queries'],
      params: StoryPath,
      querystring: StoryParams,
      answer: StoryAnswer,
      limits: limitReads,
      async handle({ request, reply, siteId, params: { id } }) {
        const site = siteOf(access, siteId);
        const asked = readStory(readParams(request, sites, NAMES), id);
        const sent = { ...asked, site_id: site.id, id, isPersonal: isPersonal(request) };
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

type Sent = { readonly [Name in keyof typeof STORY_PARAMS]?: string };

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
