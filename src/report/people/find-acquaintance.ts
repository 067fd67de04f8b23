import type { Bind } from '../dimension.ts';
import type { ReportWarehouse } from '../ports.ts';
import { createBindings } from '../query/sql/bindings.ts';
import { isVisitorOfPersons, toPersonNumber } from '../query/sql/person-numbers.ts';
import { joinPersons, personSql } from '../query/sql/persons.ts';
import { all, byPeople } from '../query/sql/rows.ts';
import { visitRowsSql } from '../query/sql/visit-rows.ts';
import type { PeoplePlan } from './plan-people.ts';
import { CLIENT, ORIGIN, visitValuesSql } from './visit-values.ts';

/** How somebody came first, and how they were there last; of all time. */
export type Acquaintance = {
  /** Milliseconds, UTC, as text. */
  readonly firstAt: string;
  readonly firstVisit: Readonly<Record<string, string>>;
  readonly latestVisit: Readonly<Record<string, string>>;
};

/** The acquaintance of each of a page's people; none of who never visited. */
export async function findAcquaintances(
  warehouse: ReportWarehouse,
  plan: PeoplePlan,
  people: readonly string[],
): Promise<ReadonlyMap<string, Acquaintance>> {
  if (people.length === 0) return new Map();
  const { bind, params } = createBindings();
  const rows = await warehouse.select<Acquaintance & { readonly who: string }>({
    sql: `
      SELECT who, toString(tupleElement(min(at), 1)) AS firstAt,
        argMin(origin, at) AS firstVisit, argMax(description, at) AS latestVisit
      FROM (
        SELECT ${plan.of === 'visitor' ? 'visitor_id' : personSql(plan)} AS who, visit.*
        FROM (${visitsOfSql(plan, people, bind)}) AS visit ${joinPersons(plan, bind)}
      )
      GROUP BY who`,
    params,
  });
  return new Map(rows.map((row) => [row.who, row]));
}

/**
 * SQL of all visits of these people.
 *
 * Why they are looked up by key: the table is ordered by when visits began, and only what stands beside
 * these must be merged then.
 */
function visitsOfSql(plan: PeoplePlan, people: readonly string[], bind: Bind): string {
  const numbers = toPersonNumber(`arrayJoin(${bind(people, 'Array(String)')})`);
  const isTheirs =
    plan.of === 'visitor'
      ? `visitor IN (SELECT ${numbers})`
      : isVisitorOfPersons(`SELECT ${numbers} AS person_number`, plan, bind);
  return visitRowsSql(plan, bind, {
    columns: `visitor_id, (touched_at, visit_id) AS at,
      ${visitValuesSql(ORIGIN, plan.site, bind)} AS origin,
      ${visitValuesSql([...ORIGIN, ...CLIENT], plan.site, bind)} AS description`,
    where: all(byPeople(plan), isTheirs),
    byKey: isTheirs,
  });
}
