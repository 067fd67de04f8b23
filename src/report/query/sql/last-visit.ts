import { LATE_TOUCH_MAX_MS } from '#domain/attribution/find-path.ts';
import { type Bind, NONE } from '../../dimension.ts';
import type { FactPlan, Scope } from '../plan/plan.ts';
import { isVisitorOfPersons, joinNumbers, personNumber } from './person-numbers.ts';
import { all, byPeople } from './rows.ts';
import { visitRowsSql } from './visit-rows.ts';

/**
 * SQL of payments, each with what the payer's last visit up to it tells: columns `w0, w1, …` for the
 * plan's dimensions that it tells; `(none)` where none does.
 *
 * - Shape: rows have a `person_id` and `credit_at`, as for credit.ts; `persons` are cheaper rows with the
 *   same. The rows as they are when the plan needs nothing of it.
 * - Shape: where no visit began before the payment, the first of the ten minutes after it, as for credit.
 * - Why all history, whatever the lookback window and the model: it says where somebody was, and not
 *   which visit gets the credit.
 */
export function withLastVisitSql(
  rows: string,
  plan: FactPlan,
  bind: Bind,
  persons: string,
): string {
  return plan.values.lastVisit.reduce((fact, { sql }, index) => {
    const visits = visitsThatTellSql(sql, persons, plan, bind);
    const isLate = `later.seen_at <= fact.credit_at + ${LATE_TOUCH_MAX_MS}`;
    return `
    SELECT fact.*,
      multiIf(earlier.told != '', earlier.told, later.told != '' AND ${isLate}, later.told, '${NONE}') AS w${index}
    FROM (${fact}) AS fact
    ASOF LEFT JOIN (${visits}) AS earlier
      ON fact.person_number = earlier.seen_person AND fact.credit_at >= earlier.seen_at
    ASOF LEFT JOIN (${visits}) AS later
      ON fact.person_number = later.seen_person AND fact.credit_at < later.seen_at`;
  }, rows);
}

/** Of visits that began in the same millisecond, one. */
function visitsThatTellSql(value: string, persons: string, scope: Scope, bind: Bind): string {
  const visits = visitRowsSql(scope, bind, {
    columns: `visitor, visit_id, touched_at AS seen_at, toString(${value}) AS told`,
    where: all(byPeople(scope), `${value} != ''`, isVisitorOfPersons(persons, scope, bind)),
  });
  return `
      SELECT ${personNumber(scope)} AS seen_person, seen_at, told
      FROM (${visits}) AS visit ${joinNumbers(scope, bind)}
      ORDER BY seen_at, visit_id
      LIMIT 1 BY seen_person, seen_at`;
}
