import type { Bind } from '../../dimension.ts';
import type { Filter } from '../filter.ts';
import type { Scope } from '../plan/plan.ts';
import { joinPersons, personSql } from './persons.ts';
import { all, byPeople, eventCondition, within } from './rows.ts';

/** SQL that holds for rows whose visitor did something in the period for which the filter holds. */
export function hasDoneSql(scope: Scope, filter: Filter, bind: Bind): string {
  return `visitor_id IN (${whoDidSql(scope, filter, bind)})`;
}

/**
 * SQL that holds for rows of a person (`person_id`) any of whose visitors did something in the period
 * for which the filter holds.
 *
 * Why persons: a payment is a person's, and many name no visitor.
 */
export function personHasDoneSql(scope: Scope, filter: Filter, bind: Bind): string {
  const whoDid = whoDidSql(scope, filter, bind);
  return `person_id IN (SELECT ${personSql(scope)} FROM (${whoDid}) AS did ${joinPersons(scope, bind)})`;
}

/** SQL of the visitors (`visitor_id`) who did something in the period for which the filter holds. */
function whoDidSql(scope: Scope, filter: Filter, bind: Bind): string {
  const where = all(
    within('occurred_at', scope, bind),
    byPeople(scope),
    "visitor_id != ''",
    eventCondition([], filter, bind),
  );
  return `SELECT visitor_id FROM events WHERE ${where}`;
}
