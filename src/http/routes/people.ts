import { PeopleQuery, PersonsAnswer, VisitorsAnswer } from '#contract/people.ts';
import type { Result } from '#domain/result.ts';
import type { Refusal } from '#report/refusal.ts';
import type { ReadDeps } from '../server/server-deps.ts';
import type { Server } from '../server/server-type.ts';
import { accepted, addQueryRoute } from './report-route.ts';
import { addStoryRoutes, sightOf } from './stories.ts';

const LISTS = {
  visitors: { answer: VisitorsAnswer, summary: 'List visitors' },
  persons: { answer: PersonsAnswer, summary: 'List persons, who may be several visitors' },
} as const;

/** `POST /api/v1/query/visitors`, `POST /api/v1/query/persons`, and the stories of single ones. */
export function addPeopleRoutes(server: Server, deps: ReadDeps): void {
  const listPeople = deps.reports.listPeopleOf(deps.people);
  addStoryRoutes(server, deps);
  for (const [name, { answer, summary }] of Object.entries(LISTS)) {
    addQueryRoute(server, deps, {
      url: `/api/v1/query/${name}`,
      operationId: name,
      summary,
      description:
        'Who visited, paid or was refunded in the period, with filters as in `/api/v1/query`, search, order and pages by cursor. E-mail addresses and names also need the scope `visitors:read`.',
      asked: PeopleQuery,
      answer,
      findMoreFaults: (...asked) => listPeople.findMoreFaults(...asked),
      async respond(site, query, { request, stops }) {
        const list = listPeople[name as keyof typeof LISTS];
        const found: Result<unknown, Refusal> = await list(site, query, sightOf(request), stops);
        return accepted(found);
      },
    });
  }
}
