import { NO_VISIT, VISIT } from '#contract/rows/visit-row.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import { VISIT_GAP_MS } from '#domain/visit/visit-gap.ts';
import type { Bind } from '../../dimension.ts';
import type { Scope } from '../../query/plan/plan.ts';
import { creditAtSql } from '../../query/sql/attribution/paths.ts';
import { moneyColumns } from '../../query/sql/converted.ts';
import {
  joinPayers,
  joinPersons,
  payerNumber,
  personNumber,
  personSql,
} from '../../query/sql/persons.ts';
import { visitRowsSql, visitsOfPeople, within } from '../../query/sql/rows.ts';
import { type Window, withReach } from './step.ts';

/**
 * SQL for rows, each with `minor`: what its `payer` (SQL for a number) paid in its `visit`, or in the window `since`
 * an instant (SQL, milliseconds), less later refunds of it.
 */
export function withRevenueSql(
  rows: string,
  { since, payer }: { readonly since: string; readonly payer: string },
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
 * SQL for what everyone paid in the period: `payer`, and `outlays`, an array of the time (milliseconds), the amount
 * (negative for a refund, which has the time of its payment, whenever it was made) and, within one visit, the visit
 * that was open.
 */
function paidSql(window: Window, plan: Scope, bind: Bind): string {
  const rows = `
    SELECT ${payerNumber(plan)} AS person_number, ${creditAtSql(plan, bind)} AS at, ${moneyColumns(plan)},
      if(kind = 'refund', -shown_minor, shown_minor) AS minor
    FROM payments FINAL ${joinPayers(plan, bind)}
    WHERE ${within('paid_at', plan, bind)} AND ${personSql(plan)} != '' AND amount_minor > 0`;
  const isInVisit = window === 'visit';
  return `
    SELECT person_number AS payer, groupArray((at, minor${isInVisit ? ', visit' : ''})) AS outlays
    FROM (${isInVisit ? withOpenVisitSql(rows, plan, bind) : rows}) GROUP BY payer`;
}

/** How long before a period its visits may have begun. */
const VISIT_MAX_MS = 7 * DAY_MS;

/**
 * SQL for payments (rows with `person_number` and `at`), each with `visit`: the visit that was open then, or none.
 *
 * - Shape: the payer's last visit that began before; open until 30 minutes after its last event. Of visits that began
 *   in the same millisecond, the one with the smallest id.
 * - Why: a payment belongs to no visit (docs/metrics.md), but people pay during one, and a report within one visit
 *   counts it there.
 */
export function withOpenVisitSql(payments: string, plan: Scope, bind: Bind): string {
  const visits = visitRowsSql(plan, bind, {
    columns: `visitor, visit_id AS open_visit, ${VISIT.touchedAt} AS opened_at,
      ${VISIT.extendedUntil} + ${VISIT_GAP_MS} AS closes_at`,
    where: visitsOfPeople(plan),
    period: withVisits(plan).period,
  });
  return `
    SELECT paid.*, if(open.closes_at > paid.at, open.open_visit, ${NO_VISIT}) AS visit
    FROM (${payments}) AS paid ASOF LEFT JOIN (
      SELECT seen.* EXCEPT (visitor), ${personNumber(plan)} AS open_person
      FROM (${visits}) AS seen ${joinPersons(plan, bind)}
      WHERE open_person IN (SELECT person_number FROM (${payments}))
      ORDER BY opened_at, open_visit
      LIMIT 1 BY open_person, opened_at
    ) AS open ON paid.person_number = open.open_person AND paid.at >= open.opened_at`;
}

/** The plan, widened to visits that may overlap its period; a client's clock may run ahead. */
export function withVisits<Plan extends Scope>(plan: Plan): Plan {
  const startsAt = Math.max(0, plan.period.startsAt - VISIT_MAX_MS);
  return { ...plan, period: { ...plan.period, startsAt, endsAt: plan.period.endsAt + DAY_MS } };
}
