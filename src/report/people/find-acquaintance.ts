import { TOUCH_AT } from '../attribution/touches.ts';
import type { Bind } from '../dimension.ts';
import type { ReportWarehouse } from '../ports.ts';
import { createBindings } from '../query/sql/bindings.ts';
import { isVisitorOfPersons, toPersonNumber } from '../query/sql/person-numbers.ts';
import { joinPersons, personSql } from '../query/sql/persons.ts';
import { all, byPeople } from '../query/sql/rows.ts';
import { visitRowsSql } from '../query/sql/visit-rows.ts';
import type { PeopleQuery } from './people-query.ts';
import { CLIENT, ORIGIN, toVisitValues, visitValuesSql } from './visit-values.ts';

/** How somebody came first, and how they were there last; of all time. */
export type Acquaintance = {
  /** Milliseconds, UTC. */
  readonly firstAt: number;
  readonly firstVisit: Readonly<Record<string, string>>;
  readonly latestVisit: Readonly<Record<string, string>>;
};

type Row = Readonly<Record<string, string>> & { readonly who: string };

/** The acquaintance of each of a page's people; none of who never visited. */
export async function findAcquaintances(
  warehouse: ReportWarehouse,
  asked: Pick<PeopleQuery, 'of' | 'query'>,
  people: readonly string[],
): Promise<ReadonlyMap<string, Acquaintance>> {
  if (people.length === 0) return new Map();
  const { query } = asked;
  const { bind, params } = createBindings();
  const values = [...ORIGIN, ...CLIENT] as const;
  const firsts = ORIGIN.map((name) => `argMin(of_${name}, at) AS first_${name}`);
  const latest = values.map((name) => `argMax(of_${name}, at) AS latest_${name}`);
  const rows = await warehouse.select<Row>({
    sql: `
      SELECT who, toString(tupleElement(min(at), 1)) AS first_at,
        ${[...firsts, ...latest].join(', ')}
      FROM (
        SELECT ${asked.of === 'visitor' ? 'visitor_id' : personSql(query)} AS who, visit.*
        FROM (${visitsOfSql(asked, people, values, bind)}) AS visit ${joinPersons(query, bind)}
      )
      GROUP BY who`,
    params,
  });
  return new Map(rows.map((row) => [row.who, toAcquaintance(row)]));
}

/**
 * SQL of all visits of these people.
 *
 * Why those that are not settled are looked up by key: their table is ordered by when visits began, and
 * only what stands beside these must be merged then.
 */
function visitsOfSql(
  { of, query }: Pick<PeopleQuery, 'of' | 'query'>,
  people: readonly string[],
  values: Parameters<typeof visitValuesSql>[0],
  bind: Bind,
): string {
  const list = bind(people, 'Array(String)');
  const isTheirs =
    of === 'visitor'
      ? `visitor IN (SELECT ${toPersonNumber(`arrayJoin(${list})`)})`
      : isVisitorOfPersons(`SELECT arrayJoin(${list}) AS person_id`, query, bind);
  return visitRowsSql(query, bind, {
    columns: `visitor_id, (${TOUCH_AT}, visit_id) AS at, ${visitValuesSql(values, query.site, bind)}`,
    where: all(byPeople(query), isTheirs),
    byKey: isTheirs,
  });
}

function toAcquaintance(row: Row): Acquaintance {
  return {
    firstAt: Number(row.first_at),
    firstVisit: toVisitValues(row, ORIGIN, 'first_'),
    latestVisit: toVisitValues(row, [...ORIGIN, ...CLIENT], 'latest_'),
  };
}
