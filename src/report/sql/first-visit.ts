import { type Bind, UNATTRIBUTED, type VisitorDimension } from '../dimension.ts';
import { filteredDimensions } from '../filter.ts';
import type { Question } from '../question.ts';
import { toEngineZone } from './engine-zone.ts';
import { isVisitorOfPersons, joinNumbers, personNumber, toPersonNumber } from './person-numbers.ts';
import { byPeople, usesColumn } from './rows.ts';
import { TOUCH_AT } from './touches.ts';
import { visitRowsSql } from './visit-rows.ts';

/**
 * SQL of rows of visitors (`visitor_id`) or persons (`person_id`), each with what the question asks
 * of the first visit of whom the row is of: columns `u0, u1, …` for its dimensions, and `is_first_visit` where the rows have a `visit_id`.
 *
 * - Shape: `visitors` and `persons` are cheaper rows with the same. The rows as they are, when the
 *   question asks for nothing of it. A row of nobody known is `Unattributed`.
 * - Why a visit's first event counts, if that is earlier than its start: as in credit.ts.
 */
export function withFirstVisitSql(
  rows: string,
  question: Question,
  bind: Bind,
  { of = 'visit', visitors = rows, persons = rows }: FirstVisitOf = {},
): string {
  const dimensions = visitorDimensions(question);
  const tellsFirst = of === 'visit' && usesColumn(question, 'is_first_visit');
  if (dimensions.length === 0 && !tellsFirst) return rows;
  const context = {
    site: question.site,
    bind,
    timeZone: bind(toEngineZone(question.period.timeZone), 'String'),
  };
  const columns = dimensions.map(({ sql }, index) => `, ${sql(context)} AS u${index}`);
  const values = dimensions.map(
    (_, index) => `, if(first.first_known = 1, first.u${index}, '${UNATTRIBUTED}') AS u${index}`,
  );
  const isOfPerson = of === 'person';
  const isMeant = isOfPerson
    ? isVisitorOfPersons(persons, question, bind)
    : `visitor IN (SELECT ${toPersonNumber('visitor_id')} FROM (${visitors}) WHERE visitor_id != '')`;
  const visits = visitRowsSql(question, bind, {
    columns: `visitor, visit_id AS first_visit, 1 AS first_known,
        ${TOUCH_AT} AS began_at${columns.join('')}`,
    where: byPeople(question),
  });
  return `
    SELECT fact.*${values.join('')}
      ${tellsFirst ? ', fact.visit_id = first.first_visit AS is_first_visit' : ''}
    FROM (${rows}) AS fact LEFT JOIN (
      SELECT seen.* EXCEPT (visitor), ${isOfPerson ? personNumber(question) : 'visitor'} AS first_of
      FROM (${visits}) AS seen ${isOfPerson ? joinNumbers(question, bind) : ''}
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
export function visitorColumn(question: Question, wanted: VisitorDimension): string {
  return `u${visitorDimensions(question).findIndex(({ name }) => name === wanted.name)}`;
}

function visitorDimensions({ dimensions, filter }: Question): VisitorDimension[] {
  const named = new Map([...dimensions, ...filteredDimensions(filter)].map((d) => [d.name, d]));
  return [...named.values()].filter((dimension) => dimension.of === 'visitor');
}
