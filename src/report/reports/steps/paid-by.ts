import { creditAtSql } from '../../attribution/credit-at.ts';
import type { Bind } from '../../dimension.ts';
import type { Scope } from '../../query/plan/plan.ts';
import { convertedSql } from '../../query/sql/converted.ts';
import { joinPayers, payerNumber, personSql } from '../../query/sql/persons.ts';
import { instant, ofSite } from '../../query/sql/rows.ts';
import { withOpenVisitSql } from './open-visit.ts';
import type { Window } from './step.ts';

/**
 * SQL of what everybody paid in the period: `payer`, and `outlays`, an array of when it was paid
 * (milliseconds), how much in the site's currency (minor units; paid back as a negative amount, at the
 * instant of its payment, whenever that was) and, within one visit, the visit that was open.
 */
export function paidBySql(window: Window, plan: Scope, bind: Bind): string {
  const { startsAt, endsAt } = plan.period;
  const made = `
    SELECT ${payerNumber(plan)} AS person_number, kind, transaction_id, currency, paid_at, amount_minor AS raw_minor,
      ${creditAtSql(plan, bind)} AS at
    FROM payments FINAL ${joinPayers(plan, bind)}
    WHERE ${ofSite(plan, bind)} AND ${personSql(plan)} != '' AND amount_minor > 0
      AND paid_at >= ${instant(startsAt, bind)} AND paid_at < ${instant(endsAt, bind)}`;
  const isInVisit = window === 'visit';
  const converted = convertedSql(made, plan, { bind, tellsBefore: false });
  const rows = `SELECT person_number, at, if(kind = 'refund', -amount_minor, amount_minor) AS minor FROM (${converted})`;
  const payments = isInVisit ? withOpenVisitSql(rows, plan, bind) : rows;
  return `
    SELECT person_number AS payer, groupArray((at, minor${isInVisit ? ', visit' : ''})) AS outlays
    FROM (${payments}) GROUP BY payer`;
}

/** SQL of how much of `outlays` belongs to what began at `from` (milliseconds), in `visit` or within the window. */
export function revenueSql(from: string, window: Window, bind: Bind): string {
  const isMeant =
    window === 'visit'
      ? `each.1 >= ${from} AND each.3 = visit`
      : `each.1 >= ${from} AND each.1 <= ${from} + ${bind(window, 'Int64')}`;
  return `arraySum(arrayMap(each -> each.2, arrayFilter(each -> ${isMeant}, outlays)))`;
}
