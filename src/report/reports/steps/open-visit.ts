import { VISIT_GAP_MS } from '#domain/visit/visit-gap.ts';
import { TOUCH_AT } from '../../attribution/touch-at.ts';
import type { Bind } from '../../dimension.ts';
import type { Scope } from '../../query/plan/plan.ts';
import { byPeople, DAY_MS, NO_VISIT } from '../../query/sql/rows.ts';
import { type Span, visitRowsSql } from '../../query/sql/visit-rows.ts';
import type { Who } from './step.ts';
import { joinWhoNumbers, whoNumber } from './who.ts';

/** How long before a period the visits may have begun that are looked at in it. */
const VISIT_MAX_MS = 7 * DAY_MS;

/**
 * SQL of payments (rows with `who` and `at`), each with `visit`: the visit that was open then, or none.
 *
 * - Shape: of all visits of whoever paid, the one begun last before; open until 30 minutes after its last
 *   event. Of visits begun in the same millisecond that with the smallest id.
 * - Why: a payment belongs to no visit (docs/metrics.md), yet people pay during one, and who asks about
 *   one visit wants it counted there.
 */
export function withOpenVisitSql(payments: string, by: Who, plan: Scope, bind: Bind): string {
  const visits = visitRowsSql(plan, bind, {
    columns: `visitor, visit_id AS open_visit, ${TOUCH_AT} AS opened_at,
      toUnixTimestamp64Milli(last_event_at) + ${VISIT_GAP_MS} AS closes_at`,
    where: byPeople(plan),
    period: visitsAround(plan),
  });
  return `
    SELECT paid.*, if(open.closes_at > paid.at, open.open_visit, ${NO_VISIT}) AS visit
    FROM (${payments}) AS paid ASOF LEFT JOIN (
      SELECT seen.* EXCEPT (visitor), ${whoNumber(by, plan)} AS open_who
      FROM (${visits}) AS seen ${joinWhoNumbers(by, plan, bind)}
      WHERE open_who IN (SELECT who FROM (${payments}))
      ORDER BY opened_at, open_visit
      LIMIT 1 BY open_who, opened_at
    ) AS open ON paid.who = open.open_who AND paid.at >= open.opened_at`;
}

/** When visits began that may be under way in the period; a client's clock may run ahead. */
export function visitsAround({ period }: Scope): Span {
  return {
    startsAt: Math.max(0, period.startsAt - VISIT_MAX_MS),
    endsAt: period.endsAt + DAY_MS,
  };
}
