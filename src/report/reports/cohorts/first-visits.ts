import { type Bind, type FilteredDimension, UNATTRIBUTED } from '../../dimension.ts';
import type { Filter } from '../../query/filter.ts';
import type { Scope } from '../../query/plan/plan.ts';
import { toCondition } from '../../query/sql/condition.ts';
import { customerSql } from '../../query/sql/customer.ts';
import { toEngineZone } from '../../query/sql/engine-zone.ts';
import {
  IS_SOMEBODY,
  joinNumbers,
  personNumber,
  toPersonNumber,
} from '../../query/sql/person-numbers.ts';
import { personSql } from '../../query/sql/persons.ts';
import { all, byPeople } from '../../query/sql/rows.ts';
import { visitRowsSql } from '../../query/sql/visit-rows.ts';

/** What is told of everybody's first visit. */
export type FirstVisits = {
  /** Whether visitors that are one person are one. */
  readonly by: 'person' | 'visitor';
  /** Who is meant, by dimensions of the first visit. */
  readonly whom: Filter;
  /** The dimension whose value `told` is. */
  readonly told?: FilteredDimension | undefined;
  /** SQL of a column `visited`, aggregated over a person's visits with their day in `came_on`. */
  readonly visited?: string | undefined;
  /** SQL of the `who` of those that are asked about; everybody without. */
  readonly among?: string;
  /** Visits from this instant on are not looked at. */
  readonly until: number;
};

/**
 * SQL of everybody who came in time: `who` (a number, as in person-numbers.ts), `first_at`, `first_on` (the day
 * in the zone), `is_meant`, and `told` where a dimension is.
 *
 * - Why the first visit is found by one number, of its instant and its id: a sort, or texts in the
 *   state of every person, take three times the memory.
 */
export function firstVisitsSql(
  { by, whom, told, visited, among, until }: FirstVisits,
  plan: Scope,
  bind: Bind,
): string {
  const zone = bind(toEngineZone(plan.period.timeZone), 'String');
  const toValue = (dimension: FilteredDimension) => valueSql(dimension, plan, bind);
  const isMeant = isAnybody(whom) ? '1' : `toUInt8(${toCondition(whom, { toValue, bind })})`;
  const needsPlace = !isAnybody(whom) || told !== undefined;
  const visits = visitRowsSql(plan, bind, {
    columns: `visitor, visit_started_at AS started_at, toDate(visit_started_at, ${zone}) AS came_on
        ${needsPlace ? `, ${isMeant} AS meant, ${PLACE} AS place` : ''}
        ${told === undefined ? '' : `, ${toValue(told)} AS value`}`,
    where: all(byPeople(plan), IS_SOMEBODY),
    period: { startsAt: Number.NEGATIVE_INFINITY, endsAt: until },
  });
  return `
    SELECT who, min(started_at) AS first_at, toDate(first_at, ${zone}) AS first_on,
      ${isAnybody(whom) ? '1' : 'argMin(meant, place)'} AS is_meant
      ${told === undefined ? '' : ', argMin(value, place) AS told'}
      ${visited === undefined ? '' : `, ${visited} AS visited`}
    FROM (
      SELECT visit.*, ${by === 'person' ? personNumber(plan) : 'visitor'} AS who
      FROM (${visits}) AS visit ${by === 'person' ? joinNumbers(plan, bind) : ''}
      ${among === undefined ? '' : `WHERE who IN (${among})`}
    )
    GROUP BY who`;
}

/**
 * SQL of rows with a `customer`, with what {@link firstVisitsSql} has of them as persons: `is_meant`, and
 * `told` and `visited` where these are asked for. Visits are looked up for these customers alone.
 */
export function withFirstVisitsSql(
  customers: string,
  first: Omit<FirstVisits, 'by'>,
  plan: Scope,
  bind: Bind,
): string {
  const { whom, told, visited } = first;
  if (isAnybody(whom) && told === undefined && visited === undefined) {
    return `SELECT *, 1 AS is_meant FROM (${customers})`;
  }
  const among = `SELECT customer FROM (${customers})`;
  const visits = firstVisitsSql({ by: 'person', among, ...first }, plan, bind);
  const isNobodyMeant = toCondition(whom, { toValue: () => `'${UNATTRIBUTED}'`, bind });
  return `
    SELECT paid.*,
      if(visits.who = 0, toUInt8(${isNobodyMeant}), toUInt8(visits.is_meant)) AS is_meant
      ${told === undefined ? '' : `, if(visits.who = 0, '${UNATTRIBUTED}', visits.told) AS told`}
      ${visited === undefined ? '' : ', visited'}
    FROM (${customers}) AS paid LEFT JOIN (${visits}) AS visits ON paid.customer = visits.who`;
}

/** Whether a filter leaves nobody out. */
export function isAnybody(whom: Filter): boolean {
  return whom.op === 'and' && whom.of.length === 0;
}

/** SQL of who paid, likewise, over rows joined by `joinPayers`; `customer` stands for nobody known. */
export function whoPaidSql(plan: Scope, customer = customerSql(plan)): string {
  return toPersonNumber(`if(${personSql(plan)} != '', ${personSql(plan)}, ${customer})`);
}

/** When a visit began, and its id, as one number: the order of `withFirstVisitSql`. */
const PLACE = `bitOr(
          bitShiftLeft(toUInt256(toUnixTimestamp64Milli(least(visit_started_at, first_event_at))), 128),
          toUInt256(reinterpretAsUInt128(visit_id)))`;

function valueSql(dimension: FilteredDimension, plan: Scope, bind: Bind): string {
  switch (dimension.of) {
    case 'visit':
      return typeof dimension.sql === 'string' ? dimension.sql : dimension.sql(plan.site, bind);
    case 'visitor': {
      const timeZone = bind(toEngineZone(plan.period.timeZone), 'String');
      return dimension.sql({ site: plan.site, bind, timeZone });
    }
    case 'event':
    case 'payment':
      throw new Error('a first visit has no dimension of events or payments');
  }
}
