import { TOUCH_AT } from '../../attribution/touches.ts';
import { type Bind, UNATTRIBUTED, type VisitorDimension } from '../../dimension.ts';
import { filteredDimensions } from '../filter.ts';
import type { Query } from '../query.ts';
import { toEngineZone } from './engine-zone.ts';
import { isVisitorOfPersons, joinNumbers, personNumber, toPersonNumber } from './person-numbers.ts';
import { byPeople, usesColumn } from './rows.ts';
import { visitRowsSql } from './visit-rows.ts';

/**
 * SQL of rows of visitors (`visitor_id`) or persons (`person_id`), each with what the query asks
 * of the first visit of whom the row is of: columns `u0, u1, …` for its dimensions, and `is_first_visit` where the rows have a `visit_id`.
 *
 * - Shape: `visitors` and `persons` are cheaper rows with the same. The rows as they are, when the
 *   query asks for nothing of it. A row of nobody known is `Unattributed`.
 * - Why a visit's first event counts, if that is earlier than its start: as in credit.ts.
 */
export function withFirstVisitSql(
  rows: string,
  query: Query,
  bind: Bind,
  { of = 'visit', visitors = rows, persons = rows }: FirstVisitOf = {},
): string {
  const dimensions = visitorDimensions(query);
  const tellsFirst = of === 'visit' && usesColumn(query, 'is_first_visit');
  if (dimensions.length === 0 && !tellsFirst) return rows;
  const context = {
    site: query.site,
    bind,
    timeZone: bind(toEngineZone(query.period.timeZone), 'String'),
  };
  const columns = dimensions.map(({ sql }, index) => `, ${sql(context)} AS u${index}`);
  const values = dimensions.map(
    (_, index) => `, if(first.first_known = 1, first.u${index}, '${UNATTRIBUTED}') AS u${index}`,
  );
  const isOfPerson = of === 'person';
  const isMeant = isOfPerson
    ? isVisitorOfPersons(persons, query, bind)
    : `visitor IN (SELECT ${toPersonNumber('visitor_id')} FROM (${visitors}) WHERE visitor_id != '')`;
  const visits = visitRowsSql(query, bind, {
    columns: `visitor, visit_id AS first_visit, 1 AS first_known,
        ${TOUCH_AT} AS began_at${columns.join('')}`,
    where: byPeople(query),
  });
  return `
    SELECT fact.*${values.join('')}
      ${tellsFirst ? ', fact.visit_id = first.first_visit AS is_first_visit' : ''}
    FROM (${rows}) AS fact LEFT JOIN (
      SELECT seen.* EXCEPT (visitor), ${isOfPerson ? personNumber(query) : 'visitor'} AS first_of
      FROM (${visits}) AS seen ${isOfPerson ? joinNumbers(query, bind) : ''}
      WHERE ${isMeant}
      ORDER BY began_at, first_visit
      LIMIT 1 BY first_of
    ) AS first ON ${toPersonNumber(isOfPerson ? 'fact.person_id' : 'fact.visitor_id')} = first.first_of`;
}

type FirstVisitOf = {
  /** What the rows are of; rows of visits have a `visit_id` too. */
  readonly of?: 'visit' | 'visitor' | 'person';
  readonly visitors?: string;
  readonly persons?: string;
};

/** The column of a visitor's dimension that {@link withFirstVisitSql} adds. */
export function visitorColumn(query: Query, wanted: VisitorDimension): string {
  return `u${visitorDimensions(query).findIndex(({ name }) => name === wanted.name)}`;
}

function visitorDimensions({ dimensions, filter }: Query): VisitorDimension[] {
  const named = new Map([...dimensions, ...filteredDimensions(filter)].map((d) => [d.name, d]));
  return [...named.values()].filter((dimension) => dimension.of === 'visitor');
}
