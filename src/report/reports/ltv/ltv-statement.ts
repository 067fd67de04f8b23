import { toBucketLabel } from '#domain/time/bucket-label.ts';
import type { Bind } from '../../dimension.ts';
import { createBindings } from '../../query/sql/bindings.ts';
import { instant } from '../../query/sql/rows.ts';
import type { Statement } from '../../query/sql/statement.ts';
import { firstVisitsSql, withFirstVisitsSql } from '../cohorts/first-visits.ts';
import { moneySql } from '../cohorts/money.ts';
import type { LtvPlan } from './parse-ltv.ts';

/** A group, or all of them: of each month since, how many lived through it, and what they paid by its end. */
export type LtvRow = {
  readonly is_overall: 0 | 1;
  readonly told: string;
  readonly size: string;
  readonly members: readonly string[];
  readonly minors: readonly string[];
  readonly rows: string;
};

/** The statement that adds up what members paid, month by month since they first came or paid. */
export function toLtvStatement(asked: LtvPlan): Statement {
  const { bind, params } = createBindings();
  const { plan, filter, months, group, limit } = asked;
  const members = asked.cohort === 'first_visit' ? visitors(asked, bind) : customers(asked, bind);
  const today = toBucketLabel(asked.now, 'day', plan.period.timeZone);
  const monthsMax = bind(months, 'Int64');
  const livedBy = `least(${monthsSince('joined_on', `toDate(${bind(today, 'String')})`)}, ${monthsMax})`;
  const made = `greatest(${monthsSince('joined_on', 'tupleElement(outlay, 1)')}, 0)`;
  const own = typeof group === 'string' ? groupSql(group) : 'told';
  const sql = `
    SELECT place.1 AS is_overall, place.2 AS told, toString(sum(people)) AS size,
      arrayMap(n -> toString(n), sumForEach(arrayMap(n -> if(lived > n, people, 0), range(${monthsMax})))) AS members,
      arrayMap(n -> toString(n), sumForEach(arrayMap(
        n -> if(lived > n AND made <= n, minor, toInt128(0)), range(${monthsMax})))) AS minors,
      toString(count() OVER ()) AS rows
    FROM (
      SELECT own, lived, fact.1 AS made, sum(fact.2) AS people, sum(fact.3) AS minor
      FROM (
        SELECT ${own} AS own, ${livedBy} AS lived,
          arrayJoin(arrayConcat([(toInt64(0), 1, toInt128(0))],
            arrayMap(outlay -> (${made}, 0, tupleElement(outlay, 2)), outlays))) AS fact
        FROM (SELECT * FROM (${members}) WHERE is_meant = 1) AS members LEFT JOIN (
          SELECT who AS payer, groupArray((made_on, amount_minor)) AS outlays
          FROM (${moneySql(filter.payments, plan, bind)}) GROUP BY payer
        ) AS paid ON members.who = paid.payer
      )
      GROUP BY own, lived, made
    )
    ARRAY JOIN [(1, ''), (0, own)] AS place
    GROUP BY place
    ORDER BY is_overall DESC, ${typeof group === 'string' ? '' : 'sum(people) DESC,'} told
    LIMIT ${bind(limit + 1, 'UInt64')}`;
  return { sql, params };
}

/**
 * SQL of the whole months from one day to another: the same day of a later month ends one, or its last
 * day where it has no such.
 *
 * - Why days and no instants: a renewal that comes a second earlier than the month before is of the
 *   next month, and no change of clocks matters.
 */
function monthsSince(from: string, to: string): string {
  const crossed = `dateDiff('month', ${from}, ${to})`;
  return `(${crossed} - toInt64(addMonths(${from}, ${crossed}) > ${to}))`;
}

function groupSql(group: 'cohort_week' | 'cohort_month'): string {
  return `toString(${group === 'cohort_week' ? 'toMonday' : 'toStartOfMonth'}(joined_on))`;
}

function visitors({ plan, filter, group, joined }: LtvPlan, bind: Bind): string {
  const told = typeof group === 'string' ? undefined : group;
  const { whom } = filter;
  const until = joined.endsAt;
  const visits = firstVisitsSql({ by: 'person', whom, told, until }, plan, bind);
  return `
    SELECT who, first_on AS joined_on, is_meant${told === undefined ? '' : ', told'} FROM (${visits})
    WHERE ${isJoined('first_at', joined, bind)}`;
}

/** Customers by their first payment. */
function customers({ plan, filter, group, joined }: LtvPlan, bind: Bind): string {
  const { whom, payments } = filter;
  const told = typeof group === 'string' ? undefined : group;
  const first = `
    SELECT who AS customer, min(at) AS paid_at, min(made_on) AS joined_on
    FROM (${moneySql(payments, plan, bind)})
    WHERE kind = 'payment' GROUP BY customer HAVING ${isJoined('paid_at', joined, bind)}`;
  const until = plan.period.endsAt;
  return `SELECT *, customer AS who FROM (${withFirstVisitsSql(first, { whom, told, until }, plan, bind)})`;
}

function isJoined(column: string, { startsAt, endsAt }: LtvPlan['joined'], bind: Bind): string {
  return `${column} >= ${instant(startsAt, bind)} AND ${column} < ${instant(endsAt, bind)}`;
}
