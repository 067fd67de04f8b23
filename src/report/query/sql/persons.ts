import type { Bind } from '../../dimension.ts';
import type { Filter } from '../filter.ts';
import type { Scope } from '../plan/plan.ts';
import { all, byPeople, eventCondition, ofSite, within } from './rows.ts';

/**
 * A person's id is that of one of their visitors, or a string of its own. Joins, lookups and groups use 64 bits of
 * it, as numbers: strings take several times as long, and no two of millions of visitors collide (metric.ts).
 *
 * - Source: docs/decisions/0007-persons.md.
 */
const NUMBER_OF_NOBODY = "cityHash64('')";

/** SQL for the number of the person or visitor with this id. */
export function toPersonNumber(id: string): string {
  return `cityHash64(${id})`;
}

/** SQL that joins rows with a `visitor` to their persons; empty on a site without any. */
export function joinPersons(scope: Scope, bind: Bind): string {
  return joinSql('visitor', all(ofSite(scope, bind), "kind = 'visitor'"), scope);
}

/** SQL that joins rows of `payments` to the persons who paid or got the refund. */
export function joinPayers(scope: Scope, bind: Bind): string {
  return joinSql('payer', ofSite(scope, bind), scope);
}

function joinSql(column: 'visitor' | 'payer', where: string, { joinsPersons }: Scope): string {
  if (!joinsPersons) return '';
  return `ANY LEFT JOIN (
      SELECT number AS joined_key, person_id AS joined_person, person_number AS joined_number
      FROM persons FINAL WHERE ${where}
    ) AS whose ON ${column} = joined_key`;
}

/** SQL for the person id of a joined row; empty if unknown. */
export function personSql({ joinsPersons }: Scope): string {
  return joinsPersons ? "if(joined_person != '', joined_person, visitor_id)" : 'visitor_id';
}

/** SQL for the person's number, over rows joined by {@link joinPersons}. */
export function personNumber({ joinsPersons }: Scope): string {
  return joinsPersons ? 'if(joined_number != 0, joined_number, visitor)' : 'visitor';
}

/** SQL for the payer's number, over rows joined by {@link joinPayers}. */
export function payerNumber({ joinsPersons }: Scope): string {
  return joinsPersons ? 'if(joined_number != 0, joined_number, payer)' : 'payer';
}

/** SQL condition for rows whose `visitor` is one of the persons (rows with a `person_number`). */
export function isVisitorOfPersons(persons: string, scope: Scope, bind: Bind): string {
  const isSomebody = `person_number != ${NUMBER_OF_NOBODY}`;
  if (!scope.joinsPersons) {
    return `visitor IN (SELECT person_number FROM (${persons}) WHERE ${isSomebody})`;
  }
  return `visitor IN (
      SELECT arrayJoin(arrayPushBack(visitors, person_number))
      FROM (${persons}) AS one ANY LEFT JOIN (
        SELECT person_number AS joined_one, groupArray(number) AS visitors
        FROM persons FINAL WHERE ${ofSite(scope, bind)} AND kind = 'visitor' GROUP BY joined_one
      ) AS theirs ON person_number = joined_one
      WHERE ${isSomebody})`;
}

/** SQL condition for the query's person, if it is about one. */
export function isPerson(number: string, { person }: Scope, bind: Bind): string | undefined {
  return person === undefined ? undefined : `${number} = ${toPersonNumber(bind(person, 'String'))}`;
}

/** SQL condition for rows with a known `visitor`. */
export const IS_SOMEBODY = `visitor != ${NUMBER_OF_NOBODY}`;

/**
 * SQL for the payer, over a row of `payments` joined by `joinPayers`: the person; if unknown, the customer's id, else
 * the e-mail; a payment without any of them is its own customer.
 */
export const customerSql = (
  scope: Scope,
) => `multiIf(${scope.joinsPersons ? 'joined_number != 0 OR ' : ''}visitor_id != '', concat('person ', toString(${payerNumber(scope)})),
  customer_id != '', concat('customer ', customer_id),
  email != '', concat('email ', email),
  concat('payment ', if(original_transaction_id = '', transaction_id, original_transaction_id)))`;

/** SQL condition for rows whose visitor did something in the period that matches the filter. */
export function hasDoneSql(scope: Scope, filter: Filter, bind: Bind): string {
  return `visitor IN (${visitorsSql(scope, filter, bind)})`;
}

/**
 * SQL condition for rows of a person (`person_number`) with a visitor who did something in the period that matches
 * the filter.
 *
 * Why persons: a payment belongs to a person, and many name no visitor.
 */
export function personHasDoneSql(scope: Scope, filter: Filter, bind: Bind): string {
  const visitors = visitorsSql(scope, filter, bind);
  return `person_number IN (
      SELECT ${personNumber(scope)} FROM (${visitors}) AS did ${joinPersons(scope, bind)})`;
}

/** SQL for the visitors who did something in the period that matches the filter. */
function visitorsSql(scope: Scope, filter: Filter, bind: Bind): string {
  const where = all(
    within('occurred_at', scope, bind),
    byPeople(scope),
    IS_SOMEBODY,
    eventCondition(filter, scope, bind),
  );
  return `SELECT visitor FROM events WHERE ${where}`;
}
