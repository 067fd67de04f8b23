import { VISIT } from '#contract/rows/visit-row.ts';
import { assert } from '#domain/assert.ts';
import { UNATTRIBUTED } from '#domain/row-labels.ts';
import {
  type Bind,
  type FilteredDimension,
  type VisitDimension,
  type VisitorDimension,
  valueSql,
  zoneSql,
} from '../../dimension.ts';
import type { Filter } from '../../query/filter.ts';
import type { Scope } from '../../query/plan/plan.ts';
import { toCondition } from '../../query/sql/condition.ts';
import { moneyColumns } from '../../query/sql/converted.ts';
import {
  customerSql,
  IS_SOMEBODY,
  joinPayers,
  joinPersons,
  personNumber,
  personSql,
  toPersonNumber,
} from '../../query/sql/persons.ts';
import { all, visitRowsSql, visitsOfPeople, within } from '../../query/sql/rows.ts';

/** Which people to select by first visit, and what to read. */
type FirstVisits = {
  readonly whom: Filter;
  /** The dimension whose value is `first_value`. */
  readonly dimension?: VisitDimension | VisitorDimension | undefined;
  /** SQL for a column `visited`, aggregated over a person's visits with their day in `came_on`. */
  readonly visited?: string | undefined;
  /** Visits from this instant on are ignored. */
  readonly until: number;
  /** SQL for all possible persons. */
  readonly among?: string;
};

/** The members of a cohort. */
type Members = FirstVisits & {
  readonly cohort: 'first_visit' | 'first_payment';
  readonly payments: Filter;
  /** SQL condition for members, over `joined_at` and `joined_on`. */
  readonly joined: string;
};

/**
 * SQL for everyone whose first visit or payment meets `joined`: `who` (a number, as in persons.ts), `joined_at`,
 * `joined_on` (the day in the zone), and the columns of {@link FirstVisits}.
 */
export function membersSql(members: Members, plan: Scope, bind: Bind): string {
  const { cohort, joined, payments } = members;
  if (cohort === 'first_visit') {
    return `SELECT * FROM (${firstVisitsSql(members, plan, bind)}) WHERE is_meant = 1 AND ${joined}`;
  }
  const paid = `
    SELECT who AS customer, min(at) AS joined_at, min(made_on) AS joined_on
    FROM (${moneySql(payments, plan, bind)})
    WHERE kind = 'payment' GROUP BY customer HAVING ${joined}`;
  return `SELECT *, customer AS who FROM (${onlyMeantSql(paid, members, plan, bind)})`;
}

/**
 * SQL for the rows whose `customer` matches `whom`, with the columns of {@link FirstVisits} for that person. Visits
 * are looked up for these customers alone.
 */
export function onlyMeantSql(
  customers: string,
  { among = `SELECT customer FROM (${customers})`, ...first }: FirstVisits,
  plan: Scope,
  bind: Bind,
): string {
  const { whom, dimension, visited } = first;
  if (isAnybody(whom) && dimension === undefined && visited === undefined) return customers;
  const visits = firstVisitsSql({ ...first, among }, plan, bind);
  const isNobodyMeant = toCondition(whom, { toValue: () => `'${UNATTRIBUTED}'`, bind });
  return `
    SELECT paid.*
      ${dimension === undefined ? '' : `, if(visits.who = 0, '${UNATTRIBUTED}', visits.first_value) AS first_value`}
      ${visited === undefined ? '' : ', visited'}
    FROM (${customers}) AS paid LEFT JOIN (${visits}) AS visits ON paid.customer = visits.who
    WHERE if(visits.who = 0, ${isNobodyMeant}, visits.is_meant = 1)`;
}

/**
 * SQL for each person's first visit, with the columns of members, and `is_meant`.
 *
 * - Why a single number, made of instant and id, finds the first visit: sorting, or strings in each person's state,
 *   take three times the memory.
 */
function firstVisitsSql(
  { whom, dimension, visited, among, until }: FirstVisits,
  plan: Scope,
  bind: Bind,
): string {
  const zone = zoneSql(plan.period.timeZone, bind);
  const toValue = (each: FilteredDimension) => {
    assert(each.of === 'visit' || each.of === 'visitor', 'a first visit is of visits and visitors');
    return valueSql(each, plan, bind);
  };
  const isFiltered = !isAnybody(whom);
  const visits = visitRowsSql(plan, bind, {
    columns: `visitor, visit_started_at AS started_at, toDate(visit_started_at, ${zone}) AS came_on
        ${isFiltered || dimension !== undefined ? `, ${PLACE} AS place` : ''}
        ${isFiltered ? `, toUInt8(${toCondition(whom, { toValue, bind })}) AS meant` : ''}
        ${dimension === undefined ? '' : `, ${toValue(dimension)} AS value`}`,
    where: all(visitsOfPeople(plan), IS_SOMEBODY),
    period: { startsAt: Number.NEGATIVE_INFINITY, endsAt: until },
  });
  return `
    SELECT who, min(started_at) AS joined_at, toDate(joined_at, ${zone}) AS joined_on,
      ${isFiltered ? 'argMin(meant, place)' : '1'} AS is_meant
      ${dimension === undefined ? '' : ', argMin(value, place) AS first_value'}
      ${visited === undefined ? '' : `, ${visited} AS visited`}
    FROM (
      SELECT visit.*, ${personNumber(plan)} AS who
      FROM (${visits}) AS visit ${joinPersons(plan, bind)}
      ${among === undefined ? '' : `WHERE who IN (${among})`}
    )
    GROUP BY who`;
}

/** A visit's start and id as one number, in the order of `withFirstVisitSql`. */
const PLACE = `bitOr(
          bitShiftLeft(toUInt256(${VISIT.touchedAt}), 128),
          toUInt256(reinterpretAsUInt128(visit_id)))`;

function isAnybody(whom: Filter): boolean {
  return whom.op === 'and' && whom.of.length === 0;
}

/**
 * SQL for the matching payments and refunds of the period, without trials: `who` (a number), `kind`, `at` and
 * `made_on` (the day in the query's zone), and `minor` in the site's currency, negative for a refund.
 */
function moneySql(payments: Filter, plan: Scope, bind: Bind): string {
  const zone = zoneSql(plan.period.timeZone, bind);
  return `
    SELECT ${whoPaidSql(plan)} AS who, kind, occurred_at AS at, toDate(occurred_at, ${zone}) AS made_on,
      ${moneyColumns(plan)}, if(kind = 'refund', -shown_minor, shown_minor) AS minor
    FROM payments FINAL ${joinPayers(plan, bind)}
    WHERE ${within('occurred_at', plan, bind)} AND amount_minor > 0
      AND ${toPaymentCondition(payments, bind)}`;
}

/**
 * SQL for a FROM clause: members (`who`), each with all their `outlays`: the day, the amount as in {@link moneySql},
 * and whether it is a payment.
 */
export function withOutlaysSql(members: string, payments: Filter, plan: Scope, bind: Bind): string {
  return `(${members}) AS members LEFT JOIN (
      SELECT who AS payer, groupArray((made_on, minor, kind = 'payment')) AS outlays
      FROM (${moneySql(payments, plan, bind)}) GROUP BY payer
    ) AS paid ON members.who = paid.payer`;
}

/** SQL for the payer's number, over rows joined by `joinPayers`: `customer` if the person is unknown. */
export function whoPaidSql(plan: Scope, customer = customerSql(plan)): string {
  return toPersonNumber(`if(${personSql(plan)} != '', ${personSql(plan)}, ${customer})`);
}

/** SQL condition for a filter by payment dimensions, over rows of payments. */
export function toPaymentCondition(payments: Filter, bind: Bind): string {
  const toValue = (dimension: FilteredDimension) => {
    assert(dimension.of === 'payment', 'payments are chosen by their own dimensions');
    return dimension.sql;
  };
  return toCondition(payments, { toValue, bind });
}
