import { toBucketLabel } from '#domain/time/bucket-label.ts';
import type { Bind } from '../../dimension.ts';
import { createBindings } from '../../query/sql/bindings.ts';
import { instant } from '../../query/sql/rows.ts';
import type { Statement } from '../../query/sql/statement.ts';
import { firstVisitsSql, withFirstVisitsSql } from '../cohorts/first-visits.ts';
import { moneySql } from '../cohorts/money.ts';
import type { RetentionPlan } from './parse-retention.ts';

/**
 * A cell of the table: cohorts and periods by their numbers, from 0; period -1 has the cohort's size.
 * Of a query about activity `minor` is 0.
 */
export type RetentionRow = {
  readonly cohort: string;
  readonly period: string;
  readonly active: string;
  readonly minor: string;
};

/** The statement that counts the members of each cohort, and those active in each period since. */
export function toRetentionStatement(asked: RetentionPlan): Statement {
  const { bind, params } = createBindings();
  const members = asked.cohort === 'first_visit' ? visitors(asked, bind) : customers(asked, bind);
  const cohorts = bind(asked.cohorts, 'Int64');
  const meant = `SELECT * FROM (${members}) WHERE is_meant = 1 AND cohort >= 0 AND cohort < ${cohorts}`;
  const sql =
    asked.measure === 'activity' ? byActivity(meant, asked, bind) : byMoney(meant, asked, bind);
  return { sql, params };
}

/** SQL of the number of the period that a day lies in. */
function periodOf(day: string, asked: RetentionPlan, bind: Bind): string {
  const [first = 0] = asked.startsAt;
  const label = toBucketLabel(first, asked.unit, asked.plan.period.timeZone);
  return `dateDiff('${asked.unit}', toDate(${bind(label, 'String')}), ${day})`;
}

/** Bits of a number that has one for each period: more than cohorts and periods come to. */
const LAST_BIT = 127;

/** A bit for each period with a visit, from the first cohort's on. */
function visitedPeriods(asked: RetentionPlan, bind: Bind): string {
  const period = periodOf('came_on', asked, bind);
  const bit = `bitShiftLeft(toUInt128(1), toUInt8(greatest(0, least(${period}, ${LAST_BIT}))))`;
  return `groupBitOr(if(${period} BETWEEN 0 AND ${LAST_BIT}, ${bit}, toUInt128(0)))`;
}

function visitors(asked: RetentionPlan, bind: Bind): string {
  const { plan, by, filter, measure } = asked;
  const until = plan.period.endsAt;
  const visited = measure === 'activity' ? visitedPeriods(asked, bind) : undefined;
  const first = firstVisitsSql({ by, whom: filter.whom, visited, until }, plan, bind);
  return `SELECT *, ${periodOf('first_on', asked, bind)} AS cohort FROM (${first})`;
}

/** Customers by their first payment. */
function customers(asked: RetentionPlan, bind: Bind): string {
  const { plan, filter, measure } = asked;
  const { whom, payments } = filter;
  const first = `
    SELECT who AS customer, min(made_on) AS paid_on FROM (${moneySql(payments, plan, bind)})
    WHERE kind = 'payment' GROUP BY customer`;
  // The first visit may be after the last period, as the payment may be before it.
  const until = Math.max(plan.period.endsAt, asked.now + 1);
  const visited = measure === 'activity' ? visitedPeriods(asked, bind) : undefined;
  const known = withFirstVisitsSql(first, { whom, visited, until }, plan, bind);
  return `SELECT *, customer AS who, ${periodOf('paid_on', asked, bind)} AS cohort FROM (${known})`;
}

function byActivity(members: string, { periods }: RetentionPlan, bind: Bind): string {
  const isVisited = `bitAnd(visited, bitShiftLeft(toUInt128(1), toUInt8(least(cohort + n, ${LAST_BIT})))) != 0`;
  return `
    SELECT cohort, period, toString(sum(people)) AS active, '0' AS minor
    FROM (
      SELECT cohort, people, arrayJoin(arrayConcat([toInt64(-1)],
        arrayFilter(n -> ${isVisited}, range(0, ${bind(periods, 'Int64')})))) AS period
      FROM (SELECT cohort, visited, count() AS people FROM (${members}) GROUP BY cohort, visited)
    )
    GROUP BY cohort, period`;
}

/** What was paid before the cohort's own period (before the first visit) counts in that. */
function byMoney(members: string, asked: RetentionPlan, bind: Bind): string {
  const { plan, filter, periods } = asked;
  const since = 'greatest(tupleElement(act, 1) - cohort, 0)';
  const paid = `arrayDistinct(arrayMap(act -> ${since}, arrayFilter(act -> tupleElement(act, 3) > 0, acts)))`;
  const earliest = instant(asked.cohort === 'first_payment' ? (asked.startsAt[0] ?? 0) : 0, bind);
  return `
    SELECT cohort, cell.1 AS period, toString(sum(cell.2)) AS active, toString(sum(cell.3)) AS minor
    FROM (
      SELECT cohort, arrayJoin(arrayConcat([(toInt64(-1), 1, toInt128(0))],
        arrayMap(n -> (n, 1, toInt128(0)), ${paid}),
        arrayMap(act -> (${since}, 0, tupleElement(act, 2)), acts))) AS cell
      FROM (${members}) AS members LEFT JOIN (
        SELECT payer, groupArray((made_in, minor, payments)) AS acts
        FROM (
          SELECT who AS payer, ${periodOf('made_on', asked, bind)} AS made_in, sum(amount_minor) AS minor,
            countIf(kind = 'payment') AS payments
          FROM (${moneySql(filter.payments, plan, bind)}) WHERE at >= ${earliest}
          GROUP BY payer, made_in
        ) GROUP BY payer
      ) AS paid ON members.who = paid.payer
    )
    WHERE cell.1 < ${bind(periods, 'Int64')}
    GROUP BY cohort, period`;
}
