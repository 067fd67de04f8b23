import type { Bind } from '../../dimension.ts';
import type { Scope } from '../plan/plan.ts';

/**
 * SQL of whose a row is, over rows with a `visitor_id` that are joined by {@link joinPersons}: empty for
 * nobody known.
 *
 * - Source: docs/decisions/0007-persons.md.
 */
const PERSON = "if(joined_person != '', joined_person, visitor_id)";

/** The same where a site may have no persons at all, as the joins know: nothing is joined then. */
export function personSql({ joinsPersons }: Scope): string {
  return !joinsPersons ? 'visitor_id' : PERSON;
}

/** SQL that joins rows of visitors (`visitor_id`) with the persons that they are. */
export function joinPersons({ site, joinsPersons }: Scope, bind: Bind): string {
  if (!joinsPersons) return '';
  return `ANY LEFT JOIN (
      SELECT key AS joined_visitor, person_id AS joined_person
      FROM persons FINAL WHERE site_id = ${bind(site.id, 'String')} AND kind = 'visitor'
    ) AS whose ON visitor_id = joined_visitor`;
}

/** SQL that joins rows of `payments` with the persons who paid, or were paid back. */
export function joinPayers({ site, joinsPersons }: Scope, bind: Bind): string {
  if (!joinsPersons) return '';
  return `ANY LEFT JOIN (
      SELECT number AS joined_payer, person_id AS joined_person, person_number AS joined_number
      FROM persons FINAL WHERE site_id = ${bind(site.id, 'String')}
    ) AS whose ON payer = joined_payer`;
}

/** SQL that holds for rows of visitors who are one of the persons (rows with a `person_id`). */
export function isVisitorOf(persons: string, { site }: Scope, bind: Bind): string {
  return `visitor_id != '' AND visitor_id IN (
      SELECT person_id FROM (${persons})
      UNION ALL
      SELECT key FROM persons FINAL
      WHERE site_id = ${bind(site.id, 'String')} AND kind = 'visitor'
        AND person_id IN (SELECT person_id FROM (${persons})))`;
}
