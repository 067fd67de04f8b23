import { toBucketLabel } from '#domain/time/bucket-label.ts';
import type { Bind } from '../../dimension.ts';
import { createBindings } from '../../query/sql/bindings.ts';
import type { Statement } from '../../query/sql/statement.ts';
import { onlyMeantSql } from '../cohorts/members.ts';
import type { Planned } from '../report-kind.ts';
import { type MrrQuery, recurringTermsSql, subscribersSql } from './recurring-terms.ts';

/** A month by its number, from 1: minor units of its movements, and their customers. */
export type MrrRow = { readonly month: string } & Readonly<Record<MrrColumn, string>>;
/** The columns of {@link MrrRow}. */
export type MrrColumn =
  | `${Movement | 'start_mrr' | 'end_mrr'}`
  | `${Movement | 'start_mrr' | 'end_mrr'}_customers`;
type Movement = 'fresh' | 'expansion' | 'reactivated' | 'contraction' | 'churned';

/** Which customers make which movement, and of how much; exactly one holds for each that changes. */
const MOVEMENTS: Readonly<Record<Movement, { readonly of: string; readonly when: string }>> = {
  fresh: { of: 'after', when: 'before = 0 AND after > 0 AND is_first' },
  reactivated: { of: 'after', when: 'before = 0 AND after > 0 AND NOT is_first' },
  expansion: { of: 'after - before', when: 'before > 0 AND after > before' },
  contraction: { of: 'before - after', when: 'after > 0 AND after < before' },
  churned: { of: 'before', when: 'before > 0 AND after = 0' },
};

/**
 * The statement of each month's movements: what every customer's recurring revenue is at its end, against
 * the end of the month before.
 *
 * - Shape: a customer is new once, in the month at whose end they are first counted.
 */
export function toMrrStatement(report: Planned<MrrQuery>): Statement {
  const { bind, params } = createBindings();
  const days = bind(toLastDays(report), 'Array(String)');
  const last = bind(report.startsAt.length - 1, 'Int64');
  const columns = Object.entries(MOVEMENTS).map(
    ([name, { of, when }]) =>
      `toString(sumIf(${of}, ${when})) AS ${name}, toString(countIf(${when})) AS ${name}_customers`,
  );
  const sql = `
    WITH arrayMap(day -> toDate(day), ${days}) AS last_days
    SELECT month, toString(sum(before)) AS start_mrr, toString(countIf(before > 0)) AS start_mrr_customers,
      toString(sum(after)) AS end_mrr, toString(countIf(after > 0)) AS end_mrr_customers,
      ${columns.join(', ')}
    FROM (
      SELECT customer, state.1 AS month, sum(state.2) AS before, sum(state.3) AS after,
        any(first_counted) > last_days[month] AS is_first
      FROM (
        SELECT customer, first_counted, arrayJoin([(place, toInt128(0), held), (place + 1, held, toInt128(0))]) AS state
        FROM (
          SELECT customer, place, sum(mrr) AS held, any(counted) AS first_counted
          FROM (${countedSql(report, bind)})
          ARRAY JOIN arrayFilter(n -> starts_on <= last_days[n + 1] AND ends_on > last_days[n + 1],
            range(0, ${last} + 1)) AS place
          GROUP BY customer, place
        )
      )
      WHERE month >= 1 AND month <= ${last}
      GROUP BY customer, month
    )
    GROUP BY month`;
  return { sql, params };
}

/** The last day before the first month, then of each; of the present month, today. */
function toLastDays({ startsAt, now, plan }: Planned<MrrQuery>): string[] {
  const { timeZone } = plan.period;
  return startsAt.map((at) => toBucketLabel(Math.min(at - 1, now), 'day', timeZone));
}

/** Terms, each with the first end of a month at which its customer counts; with none, a day far off. */
function countedSql(report: Planned<MrrQuery>, bind: Bind): string {
  const terms = `
    SELECT *, minIf(toLastDayOfMonth(starts_on), toLastDayOfMonth(starts_on) < ends_on) OVER (PARTITION BY customer) AS earliest,
      if(earliest = toDate(0), toDate('2149-06-06'), earliest) AS counted
    FROM (SELECT * FROM (${recurringTermsSql(report, bind)}) WHERE mrr > 0)`;
  const { whom } = report.filter;
  const among = subscribersSql(report, bind);
  const until = report.plan.period.endsAt;
  return onlyMeantSql(terms, { whom, among, until }, report.plan, bind);
}
