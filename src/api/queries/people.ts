import { PeopleQuery, PersonsAnswer, VisitorsAnswer } from '#contract/people.ts';
import type { Reports } from '#report/reports/create-reports.ts';
import type { Server } from '#server/server-type.ts';
import { accepted, addQueryRoute, type QueryAccess } from './report-route.ts';
import { addStoryRoutes, isPersonal } from './stories.ts';

const LISTS = {
  visitors: { answer: VisitorsAnswer, summary: 'List visitors' },
  persons: { answer: PersonsAnswer, summary: 'List persons, each with all their visitors' },
} as const;

/** `POST /api/v1/query/visitors`, `POST /api/v1/query/persons`, and their stories. */
export function addPeopleRoutes(
  server: Server,
  access: QueryAccess,
  { story, ...lists }: ReturnType<Reports['people']>,
): void {
  addStoryRoutes(server, access, story);
  for (const [name, { answer, summary }] of Object.entries(LISTS)) {
    const list = lists[name as keyof typeof LISTS];
    addQueryRoute(server, access, `POST /api/v1/query/${name}`, {
      operation: [name, summary],
      description:
        'Lists everybody who visited, paid or was refunded in the period, with the filters of `/api/v1/query`, search, sorting and pagination. E-mail addresses and names also need the scope `visitors:read`.',
      asked: PeopleQuery,
      answer,
      findMoreFaults: list.findMoreFaults,
      async respond(site, query, { request, stops }) {
        const sent = { ...query, isPersonal: isPersonal(request) };
        return accepted<unknown>(await list.answer(site, sent, stops));
      },
    });
  }
}
