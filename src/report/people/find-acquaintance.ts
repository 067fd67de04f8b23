import type { ReportWarehouse } from '../ports.ts';
import { createBindings } from '../sql/bindings.ts';
import { isVisitorOf, joinPersons, personSql } from '../sql/persons.ts';
import { byPeople } from '../sql/rows.ts';
import { TOUCH_AT } from '../sql/touches.ts';
import type { PeopleKind, PeopleQuestion } from './people-question.ts';
import { CLIENT, ORIGIN, toVisitValues, visitValuesSql } from './visit-values.ts';

/** How somebody came first, and how they were there last; of all time. */
export type Acquaintance = {
  /** Milliseconds, UTC. */
  readonly firstAt: number;
  readonly firstVisit: Readonly<Record<string, string>>;
  readonly latestVisit: Readonly<Record<string, string>>;
};

type Row = Readonly<Record<string, string>> & { readonly who: string };

/**
 * The acquaintance of each of a page's people; none of who never visited.
 *
 * Why their visits are looked up by key: the table is ordered by when visits began, and only what
 * stands beside these must be merged then.
 */
export async function findAcquaintances(
  warehouse: ReportWarehouse,
  asked: Pick<PeopleQuestion, 'of' | 'question'>,
  people: readonly string[],
): Promise<ReadonlyMap<string, Acquaintance>> {
  if (people.length === 0) return new Map();
  const { question } = asked;
  const { bind, params } = createBindings();
  const values = [...ORIGIN, ...CLIENT] as const;
  const firsts = ORIGIN.map((name) => `argMin(of_${name}, at) AS first_${name}`);
  const latest = values.map((name) => `argMax(of_${name}, at) AS latest_${name}`);
  const site = bind(question.site.id, 'String');
  const rows = await warehouse.select<Row>({
    sql: `
      SELECT who, toString(tupleElement(min(at), 1)) AS first_at,
        ${[...firsts, ...latest].join(', ')}
      FROM (
        SELECT ${asked.of === 'visitor' ? 'visitor_id' : personSql(question)} AS who,
          (${TOUCH_AT}, visit_id) AS at, ${visitValuesSql(values, question.site, bind)}
        FROM visits FINAL ${joinPersons(question, bind)}
        WHERE site_id = ${site} AND ${byPeople(question)} AND (visit_started_at, visit_id) IN (
          SELECT visit_started_at, visit_id FROM visits
          WHERE site_id = ${site} AND ${isOneOfSql(asked.of, people, question, bind)})
      )
      GROUP BY who`,
    params,
  });
  return new Map(rows.map((row) => [row.who, toAcquaintance(row)]));
}

function isOneOfSql(
  of: PeopleKind,
  people: readonly string[],
  question: PeopleQuestion['question'],
  bind: ReturnType<typeof createBindings>['bind'],
): string {
  const list = bind(people, 'Array(String)');
  if (of === 'visitor') return `visitor_id IN (SELECT arrayJoin(${list}))`;
  return isVisitorOf(`SELECT arrayJoin(${list}) AS person_id`, question, bind);
}

function toAcquaintance(row: Row): Acquaintance {
  return {
    firstAt: Number(row.first_at),
    firstVisit: toVisitValues(row, ORIGIN, 'first_'),
    latestVisit: toVisitValues(row, [...ORIGIN, ...CLIENT], 'latest_'),
  };
}
