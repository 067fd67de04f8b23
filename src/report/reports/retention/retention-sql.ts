import type { Retention } from '#contract/reports/retention.ts';
import { toBucketLabel } from '#domain/time/bucket-label.ts';
import type { Bind } from '../../dimension.ts';
import type { BaseQuery } from '../../query/query.ts';
import { createBindings } from '../../query/sql/bindings.ts';
import { instant } from '../../query/sql/rows.ts';
import type { Statement } from '../../query/sql/statement.ts';
import { membersSql } from '../cohorts/members.ts';
import { moneySql } from '../cohorts/money.ts';
import type { SplitFilter } from '../cohorts/split-filter.ts';
import type { Planned } from '../report-kind.ts';

/** A query about who comes back, parsed. */
export type RetentionQuery = {
  readonly asked: Retention &
    Required<Pick<Retention, 'unit' | 'cohort' | 'measure' | 'by' | 'periods'>>;
  /** Up to the end of the last period that any cohort shows. */
  readonly query: BaseQuery;
  /** From the first cohort's period to the end of the last one's. */
  readonly range: { readonly startsAt: number; readonly endsAt: number };
  readonly filter: SplitFilter;
  readonly cohorts: number;
  /** Where each period begins, from the first cohort's on, and where the last one ends. */
  readonly startsAt: readonly number[];
};

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
export function toRetentionStatement(report: Planned<RetentionQuery>): Statement {
  const { bind, params } = createBindings();
  const { asked, plan, filter, cohorts, now } = report;
  const { cohort, measure } = asked;
  const period = periodOf('joined_on', report, bind);
  // The first visit may be after the last period, as the payment may be before it.
  const { endsAt } = plan.period;
  const until = cohort === 'first_visit' ? endsAt : Math.max(endsAt, now + 1);
  const joined = `${period} >= 0 AND ${period} < ${bind(cohorts, 'Int64')}`;
  const visited = measure === 'activity' ? visitedPeriods(report, bind) : undefined;
  const found = membersSql({ cohort, filter, visited, joined, until }, plan, bind);
  const members = `SELECT *, ${period} AS cohort FROM (${found})`;
  const sql =
    measure === 'activity' ? byActivity(members, report, bind) : byMoney(members, report, bind);
  return { sql, params };
}

/** SQL of the number of the period that a day lies in. */
function periodOf(
  day: string,
  { asked: { unit }, range, plan }: Planned<RetentionQuery>,
  bind: Bind,
): string {
  const label = toBucketLabel(range.startsAt, unit, plan.period.timeZone);
  return `dateDiff('${unit}', toDate(${bind(label, 'String')}), ${day})`;
}

/** Bits of a number that has one for each period: more than cohorts and periods come to. */
const LAST_BIT = 127;

/** A bit for each period with a visit, from the first cohort's on. */
function visitedPeriods(report: Planned<RetentionQuery>, bind: Bind): string {
  const period = periodOf('came_on', report, bind);
  const bit = `bitShiftLeft(toUInt128(1), toUInt8(greatest(0, least(${period}, ${LAST_BIT}))))`;
  return `groupBitOr(if(${period} BETWEEN 0 AND ${LAST_BIT}, ${bit}, toUInt128(0)))`;
}

function byActivity(members: string, { asked }: Planned<RetentionQuery>, bind: Bind): string {
  const isVisited = `bitAnd(visited, bitShiftLeft(toUInt128(1), toUInt8(least(cohort + n, ${LAST_BIT})))) != 0`;
  return `
    SELECT cohort, period, toString(sum(people)) AS active, '0' AS minor
    FROM (
      SELECT cohort, people, arrayJoin(arrayConcat([toInt64(-1)],
        arrayFilter(n -> ${isVisited}, range(0, ${bind(asked.periods, 'Int64')})))) AS period
      FROM (SELECT cohort, visited, count() AS people FROM (${members}) GROUP BY cohort, visited)
    )
    GROUP BY cohort, period`;
}

/** What was paid before the cohort's own period (before the first visit) counts in that. */
function byMoney(members: string, report: Planned<RetentionQuery>, bind: Bind): string {
  const { plan, filter, asked, range } = report;
  const since = 'greatest(tupleElement(act, 1) - cohort, 0)';
  const paid = `arrayDistinct(arrayMap(act -> ${since}, arrayFilter(act -> tupleElement(act, 3) > 0, acts)))`;
  const earliest = instant(asked.cohort === 'first_payment' ? range.startsAt : 0, bind);
  return `
    SELECT cohort, cell.1 AS period, toString(sum(cell.2)) AS active, toString(sum(cell.3)) AS minor
    FROM (
      SELECT cohort, arrayJoin(arrayConcat([(toInt64(-1), 1, toInt128(0))],
        arrayMap(n -> (n, 1, toInt128(0)), ${paid}),
        arrayMap(act -> (${since}, 0, tupleElement(act, 2)), acts))) AS cell
      FROM (${members}) AS members LEFT JOIN (
        SELECT payer, groupArray((made_in, minor, payments)) AS acts
        FROM (
          SELECT who AS payer, ${periodOf('made_on', report, bind)} AS made_in, sum(amount_minor) AS minor,
            countIf(kind = 'payment') AS payments
          FROM (${moneySql(filter.payments, plan, bind)}) WHERE at >= ${earliest}
          GROUP BY payer, made_in
        ) GROUP BY payer
      ) AS paid ON members.who = paid.payer
    )
    WHERE cell.1 < ${bind(asked.periods, 'Int64')}
    GROUP BY cohort, period`;
}
