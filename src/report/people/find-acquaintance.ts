import { TOUCH_AT } from '../attribution/touch-at.ts';
import type { Bind } from '../dimension.ts';
import type { ReportWarehouse } from '../ports.ts';
import { createBindings } from '../query/sql/bindings.ts';
import { isVisitorOfPersons, toPersonNumber } from '../query/sql/person-numbers.ts';
import { joinPersons, personSql } from '../query/sql/persons.ts';
import { all, byPeople } from '../query/sql/rows.ts';
import { visitRowsSql } from '../query/sql/visit-rows.ts';
import type { PeoplePlan } from './plan-people.ts';
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
  plan: PeoplePlan,
  people: readonly string[],
): Promise<ReadonlyMap<string, Acquaintance>> {
  if (people.length === 0) return new Map();
  const { bind, params } = createBindings();
  const values = [...ORIGIN, ...CLIENT] as const;
  const firsts = ORIGIN.map((name) => `argMin(of_${name}, at) AS first_${name}`);
  const latest = values.map((name) => `argMax(of_${name}, at) AS latest_${name}`);
  const rows = await warehouse.select<Row>({
    sql: `
      SELECT who, toString(tupleElement(min(at), 1)) AS first_at,
        ${[...firsts, ...latest].join(', ')}
      FROM (
        SELECT ${plan.of === 'visitor' ? 'visitor_id' : personSql(plan)} AS who, visit.*
        FROM (${visitsOfSql(plan, people, values, bind)}) AS visit ${joinPersons(plan, bind)}
      )
      GROUP BY who`,
    params,
  });
  return new Map(rows.map((row) => [row.who, toAcquaintance(row)]));
}

/**
 * SQL of all visits of these people.
 *
 * Why they are looked up by key: the table is ordered by when visits began, and only what stands beside
 * these must be merged then.
 */
function visitsOfSql(
  plan: PeoplePlan,
  people: readonly string[],
  values: Parameters<typeof visitValuesSql>[0],
  bind: Bind,
): string {
  const list = bind(people, 'Array(String)');
  const isTheirs =
    plan.of === 'visitor'
      ? `visitor IN (SELECT ${toPersonNumber(`arrayJoin(${list})`)})`
      : isVisitorOfPersons(
          `SELECT ${toPersonNumber(`arrayJoin(${list})`)} AS person_number`,
          plan,
          bind,
        );
  return visitRowsSql(plan, bind, {
    columns: `visitor_id, (${TOUCH_AT}, visit_id) AS at, ${visitValuesSql(values, plan.site, bind)}`,
    where: all(byPeople(plan), isTheirs),
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
