import type { Bind } from '../dimension.ts';
import type { Question } from '../question.ts';
import { convertedSql } from '../sql/converted.ts';
import { creditAtSql } from '../sql/credit-at.ts';
import { instant } from '../sql/rows.ts';
import { withOpenVisitSql } from './open-visit.ts';
import type { Who, Window } from './step.ts';
import { joinWhoPaid, whoSql, whoText } from './who.ts';

/**
 * SQL of what everybody paid in the period: `paid_who`, and `outlays`, an array of when it was paid
 * (milliseconds), how much in the site's currency (minor units; paid back as a negative amount, at the
 * instant of its payment, whenever that was) and, within one visit, the visit that was open.
 */
export function paidBySql(by: Who, window: Window, question: Question, bind: Bind): string {
  const { startsAt, endsAt } = question.period;
  const made = `
    SELECT ${whoSql(by, question)} AS who, kind, transaction_id, currency, paid_at, amount_minor AS raw_minor,
      ${creditAtSql(question, bind)} AS at
    FROM payments FINAL ${joinWhoPaid(by, question, bind)}
    WHERE site_id = ${bind(question.site.id, 'String')} AND ${whoText(by, question)} != '' AND amount_minor > 0
      AND paid_at >= ${instant(startsAt, bind)} AND paid_at < ${instant(endsAt, bind)}`;
  const isInVisit = window.of === 'visit';
  const converted = convertedSql(made, question, { bind, tellsBefore: false });
  const rows = `SELECT who, at, if(kind = 'refund', -amount_minor, amount_minor) AS minor FROM (${converted})`;
  const payments = isInVisit ? withOpenVisitSql(rows, by, question, bind) : rows;
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
