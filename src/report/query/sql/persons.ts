import type { Bind } from '../../dimension.ts';
import type { Filter } from '../filter.ts';
import type { Scope } from '../plan/plan.ts';
import { all, byPeople, eventCondition, ofSite, within } from './rows.ts';

/**
 * Persons have ids: that of one of their visitors, or a text of its own. They are joined, looked for and
 * grouped by 64 bits of these, as numbers: texts take several times as long, and no two visitors of
 * millions are taken for one (metric.ts).
 *
 * - Source: docs/decisions/0007-persons.md.
 */
const NUMBER_OF_NOBODY = "cityHash64('')";

/** SQL of the number of the person or visitor with this id. */
export function toPersonNumber(id: string): string {
  return `cityHash64(${id})`;
}

/** SQL that joins rows that have a `visitor` with the persons who they are; nothing on a site without any. */
export function joinPersons(scope: Scope, bind: Bind): string {
  return joinSql('visitor', all(ofSite(scope, bind), "kind = 'visitor'"), scope);
}

/** SQL that joins rows of `payments` with the persons who paid, or were paid back. */
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

/** SQL of whose a joined row is, by id; empty for nobody known. */
export function personSql({ joinsPersons }: Scope): string {
  return joinsPersons ? "if(joined_person != '', joined_person, visitor_id)" : 'visitor_id';
}

/** SQL of whose a row is, as a number, over rows that {@link joinPersons} joined. */
export function personNumber({ joinsPersons }: Scope): string {
  return joinsPersons ? 'if(joined_number != 0, joined_number, visitor)' : 'visitor';
}

/** SQL of who paid, as a number, over rows that {@link joinPayers} joined. */
export function payerNumber({ joinsPersons }: Scope): string {
  return joinsPersons ? 'if(joined_number != 0, joined_number, payer)' : 'payer';
}

/** SQL that holds for rows with a `visitor` who is one of the persons (rows with a `person_number`). */
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

/** SQL that holds for the one person that the query is about, if it is about one. */
export function isPerson(number: string, { person }: Scope, bind: Bind): string | undefined {
  return person === undefined ? undefined : `${number} = ${toPersonNumber(bind(person, 'String'))}`;
}

/** SQL that holds for rows with a `visitor` of whom there is an id. */
export const IS_SOMEBODY = `visitor != ${NUMBER_OF_NOBODY}`;

/**
 * SQL of who paid, over a row of `payments` joined by `joinPayers`: the person; of nobody known as one the
 * customer's id, else the e-mail; a payment with none of them is a customer of its own.
 */
export const customerSql = (
  scope: Scope,
) => `multiIf(${scope.joinsPersons ? 'joined_number != 0 OR ' : ''}visitor_id != '', concat('person ', toString(${payerNumber(scope)})),
  customer_id != '', concat('customer ', customer_id),
  email != '', concat('email ', email),
  concat('payment ', if(original_transaction_id = '', transaction_id, original_transaction_id)))`;

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
