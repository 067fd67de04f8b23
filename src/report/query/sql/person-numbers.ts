import type { Bind } from '../../dimension.ts';
import type { Scope } from '../plan/plan.ts';
import { ofSite } from './rows.ts';

/**
 * Persons as numbers: 64 bits of a person's id, which is the id of one of its visitors, or of a text of
 * its own (docs/decisions/0007-persons.md). Visits are looked for and grouped by such numbers: texts
 * take several times as long, and no two visitors of millions are taken for one (metric.ts).
 */
const NUMBER_OF_NOBODY = "cityHash64('')";

/** SQL of the number of a person of this id. */
export function toPersonNumber(id: string): string {
  return `cityHash64(${id})`;
}

/** SQL of whose a visit is, as a number, over rows with a `visitor` that are joined by {@link joinNumbers}. */
export function personNumber({ joinsPersons }: Scope): string {
  return !joinsPersons ? 'visitor' : 'if(joined_number != 0, joined_number, visitor)';
}

/** SQL of who paid, as a number, over rows of `payments` joined by persons.ts. */
export function payerNumber(scope: Scope): string {
  return !scope.joinsPersons ? 'payer' : 'if(joined_number != 0, joined_number, payer)';
}

/** SQL that joins rows with a `visitor` with the persons that they are; nothing on a site without any. */
export function joinNumbers({ site, joinsPersons }: Scope, bind: Bind): string {
  if (!joinsPersons) return '';
  return `ANY LEFT JOIN (
      SELECT number AS joined_visitor, person_number AS joined_number
      FROM persons FINAL WHERE site_id = ${bind(site.id, 'String')} AND kind = 'visitor'
    ) AS whose ON visitor = joined_visitor`;
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
