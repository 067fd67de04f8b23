import { VISIT_GAP_MS } from '#domain/visit/visit-gap.ts';
import type { Bind } from '../../dimension.ts';
import type { Scope } from '../../query/plan/plan.ts';
import { joinPersons, personNumber } from '../../query/sql/persons.ts';
import { byPeople, DAY_MS, NO_VISIT, type Span } from '../../query/sql/rows.ts';
import { visitRowsSql } from '../../query/sql/visit-rows.ts';

/** How long before a period the visits may have begun that are looked at in it. */
const VISIT_MAX_MS = 7 * DAY_MS;

/**
 * SQL of payments (rows with `person_number` and `at`), each with `visit`: the visit that was open then, or none.
 *
 * - Shape: of all visits of the payer, the one begun last before; open until 30 minutes after its last
 *   event. Of visits begun in the same millisecond that with the smallest id.
 * - Why: a payment belongs to no visit (docs/metrics.md), yet people pay during one, and a
 *   report within one visit counts it there.
 */
export function withOpenVisitSql(payments: string, plan: Scope, bind: Bind): string {
  const visits = visitRowsSql(plan, bind, {
    columns: `visitor, visit_id AS open_visit, touched_at AS opened_at,
      toUnixTimestamp64Milli(last_event_at) + ${VISIT_GAP_MS} AS closes_at`,
    where: byPeople(plan),
    period: visitsAround(plan),
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

/** When visits began that may be under way in the period; a client's clock may run ahead. */
export function visitsAround({ period }: Scope): Span {
  return {
    startsAt: Math.max(0, period.startsAt - VISIT_MAX_MS),
    endsAt: period.endsAt + DAY_MS,
  };
}
