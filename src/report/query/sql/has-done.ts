import type { Bind } from '../../dimension.ts';
import type { Filter } from '../filter.ts';
import type { Scope } from '../plan/plan.ts';
import { IS_SOMEBODY, joinPersons, personNumber } from './persons.ts';
import { all, byPeople, eventCondition, within } from './rows.ts';

/** SQL that holds for rows whose visitor did something in the period for which the filter holds. */
export function hasDoneSql(scope: Scope, filter: Filter, bind: Bind): string {
  return `visitor IN (${visitorsSql(scope, filter, bind)})`;
}

/**
 * SQL that holds for rows of a person (`person_number`) any of whose visitors did something in the period
 * for which the filter holds.
 *
 * Why persons: a payment is a person's, and many name no visitor.
 */
export function personHasDoneSql(scope: Scope, filter: Filter, bind: Bind): string {
  const visitors = visitorsSql(scope, filter, bind);
  return `person_number IN (
      SELECT ${personNumber(scope)} FROM (${visitors}) AS did ${joinPersons(scope, bind)})`;
}

/** SQL of the visitors who did something in the period for which the filter holds. */
function visitorsSql(scope: Scope, filter: Filter, bind: Bind): string {
  const where = all(
    within('occurred_at', scope, bind),
    byPeople(scope),
    IS_SOMEBODY,
    eventCondition(filter, scope, bind),
  );
  return `SELECT visitor FROM events WHERE ${where}`;
}
