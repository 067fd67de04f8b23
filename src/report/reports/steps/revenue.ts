import { creditAtSql } from '../../attribution/credit-at.ts';
import type { Bind } from '../../dimension.ts';
import type { Scope } from '../../query/plan/plan.ts';
import { convertedSql } from '../../query/sql/converted.ts';
import { joinPayers, payerNumber, personSql } from '../../query/sql/persons.ts';
import { instant, ofSite } from '../../query/sql/rows.ts';
import { withOpenVisitSql } from './open-visit.ts';
import { type Window, withReach } from './step.ts';

/** What is paid within the window of something: in its `visit`, or since SQL of an instant (milliseconds). */
type Since = {
  readonly since: string;
  /** SQL of the number of who pays. */
  readonly payer?: string;
};

/**
 * SQL of rows of a `person_number`, each with `minor`: what that person paid within the window, in minor
 * units of the site's currency, less what was paid back of it since.
 */
export function withRevenueSql(
  rows: string,
  { since, payer = 'person_number' }: Since,
  { plan, window, bind }: { readonly plan: Scope; readonly window: Window; readonly bind: Bind },
): string {
  const isMeant =
    window === 'visit'
      ? `each.1 >= ${since} AND each.3 = visit`
      : `each.1 >= ${since} AND each.1 <= ${since} + ${bind(window, 'Int64')}`;
  return `
    SELECT * EXCEPT (payer, outlays),
      arraySum(arrayMap(each -> each.2, arrayFilter(each -> ${isMeant}, outlays))) AS minor
    FROM (${rows}) AS done
    LEFT JOIN (${paidSql(window, withReach(plan, window), bind)}) AS money ON ${payer} = payer`;
}

/**
 * SQL of what everybody paid in the period: `payer`, and `outlays`, an array of when it was paid
 * (milliseconds), how much (paid back as a negative amount, at the instant of its payment, whenever that
 * was) and, within one visit, the visit that was open.
 */
function paidSql(window: Window, plan: Scope, bind: Bind): string {
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
  return `
    SELECT person_number AS payer, groupArray((at, minor${isInVisit ? ', visit' : ''})) AS outlays
    FROM (${isInVisit ? withOpenVisitSql(rows, plan, bind) : rows}) GROUP BY payer`;
}
