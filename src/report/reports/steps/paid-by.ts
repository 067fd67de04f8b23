import { creditAtSql } from '../../attribution/credit-at.ts';
import type { Bind } from '../../dimension.ts';
import type { Scope } from '../../query/plan/plan.ts';
import { convertedSql } from '../../query/sql/converted.ts';
import { instant } from '../../query/sql/rows.ts';
import { withOpenVisitSql } from './open-visit.ts';
import type { Who, Window } from './step.ts';
import { joinWhoPaid, whoSql, whoText } from './who.ts';

/**
 * SQL of what everybody paid in the period: `paid_who`, and `outlays`, an array of when it was paid
 * (milliseconds), how much in the site's currency (minor units; paid back as a negative amount, at the
 * instant of its payment, whenever that was) and, within one visit, the visit that was open.
 */
export function paidBySql(by: Who, window: Window, plan: Scope, bind: Bind): string {
  const { startsAt, endsAt } = plan.period;
  const made = `
    SELECT ${whoSql(by, plan)} AS who, kind, transaction_id, currency, paid_at, amount_minor AS raw_minor,
      ${creditAtSql(plan, bind)} AS at
    FROM payments FINAL ${joinWhoPaid(by, plan, bind)}
    WHERE site_id = ${bind(plan.site.id, 'String')} AND ${whoText(by, plan)} != '' AND amount_minor > 0
      AND paid_at >= ${instant(startsAt, bind)} AND paid_at < ${instant(endsAt, bind)}`;
  const isInVisit = window.of === 'visit';
  const converted = convertedSql(made, plan, { bind, tellsBefore: false });
  const rows = `SELECT who, at, if(kind = 'refund', -amount_minor, amount_minor) AS minor FROM (${converted})`;
  const payments = isInVisit ? withOpenVisitSql(rows, by, plan, bind) : rows;
  return `
    SELECT who AS paid_who, groupArray((at, minor${isInVisit ? ', visit' : ''})) AS outlays
    FROM (${payments}) GROUP BY paid_who`;
}

/** SQL of how much of `outlays` belongs to what began at `from` (milliseconds), in `visit` or within the window. */
export function revenueSql(from: string, window: Window, bind: Bind): string {
  const isMeant =
    window.of === 'visit'
      ? `each.1 >= ${from} AND each.3 = visit`
      : `each.1 >= ${from} AND each.1 <= ${from} + ${bind(window.ms, 'Int64')}`;
  return `arraySum(arrayMap(each -> each.2, arrayFilter(each -> ${isMeant}, outlays)))`;
}
