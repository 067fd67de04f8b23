import { PeopleQuery, PersonsAnswer, VisitorsAnswer } from '#contract/people.ts';
import type { ListPeople } from '#report/people/list-people.ts';
import { whileThere } from '../answers/while-there.ts';
import { keyOf } from '../requests/authenticate.ts';
import type { Server } from '../server/server-type.ts';
import { accepted, QUERY_ERRORS, queryOptions, refuseMalformed, siteOf } from './report-route.ts';
import { addStoryRoutes, type StoryRouteDeps, sightOf } from './stories.ts';

/** What the routes of people need. */
export type PeopleRouteDeps = StoryRouteDeps & { readonly listPeople: ListPeople };

const LISTS = {
  visitors: { answer: VisitorsAnswer, summary: 'List visitors' },
  persons: { answer: PersonsAnswer, summary: 'List persons, who may be several visitors' },
} as const;

/** `POST /api/v1/query/visitors`, `POST /api/v1/query/persons`, and the stories of single ones. */
export function addPeopleRoutes(server: Server, deps: PeopleRouteDeps): void {
  const { listPeople } = deps;
  addStoryRoutes(server, deps);
  for (const [name, { answer, summary }] of Object.entries(LISTS)) {
    server.route({
      method: 'POST',
      url: `/api/v1/query/${name}`,
      ...queryOptions(deps),
      schema: {
        operationId: name,
        summary,
        description:
          'Who visited, paid or was refunded in the period, with filters as in `/api/v1/query`, search, order and pages by cursor. E-mail addresses and names also need the scope `visitors:read`.',
        tags: ['queries'],
        security: [{ key: ['stats:read'] }],
        body: PeopleQuery,
        response: { 200: answer, ...QUERY_ERRORS },
      },
      async handler(request, reply) {
        const site = siteOf(deps, keyOf(request).siteId);
        const { body } = request;
        refuseMalformed(request, (faults) => listPeople.findMoreFaults(site, body, faults));
        const sight = sightOf(request);
        return whileThere(reply, async (stops) => {
          const asked = [site, body, sight, stops] as const;
          if (name === 'visitors') return accepted(await listPeople.visitors(...asked));
          return accepted(await listPeople.persons(...asked));
        });
      },
    });
  }
}
