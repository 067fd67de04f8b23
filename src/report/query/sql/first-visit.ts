import { NO_VISIT, VISIT } from '#contract/rows/visit-row.ts';
import { UNATTRIBUTED } from '#domain/row-labels.ts';
import type { Bind } from '../../dimension.ts';
import type { Need } from '../../metric.ts';
import type { Scope, Values } from '../plan/plan.ts';
import { IS_SOMEBODY, isVisitorOfPersons, joinPersons, personNumber } from './persons.ts';
import { all, columns, valueColumns, visitRowsSql, visitsOfPeople } from './rows.ts';

/**
 * SQL for rows of visitors (`visitor`) or persons (`person_number`), with what the plan needs from their first visit:
 * columns `u0, u1, …`, and `is_first_visit` for rows with a `visit_id`, if needed.
 *
 * - Shape: returns the rows unchanged if the plan needs none of it. Rows of unknown persons are `Unattributed`.
 * - Why a visit's first event counts, if it is earlier than its start: as in credit.ts.
 */
export function withFirstVisitSql(
  rows: string,
  plan: Scope & { readonly values: Pick<Values, 'visitor'>; readonly needs?: ReadonlySet<Need> },
  bind: Bind,
  {
    of = 'visitor',
    among = rows,
  }: {
    readonly of?: 'visitor' | 'person';
    /** Cheaper rows with the same visitors or persons. */
    readonly among?: string;
  } = {},
): string {
  const dimensions = plan.values.visitor;
  const tellsFirst = plan.needs?.has('first_visit') === true;
  if (dimensions.length === 0 && !tellsFirst) return rows;
  const values = columns('u', dimensions).map(
    (name) => `, if(first.first_visit != ${NO_VISIT}, first.${name}, '${UNATTRIBUTED}') AS ${name}`,
  );
  const own = valueColumns('u', dimensions, plan, bind);
  const firsts = firstVisitsSql(among, plan, bind, { of, values: own });
  return `
    SELECT fact.*${values.join('')}
      ${tellsFirst ? ', fact.visit_id = first.first_visit AS is_first_visit' : ''}
    FROM (${rows}) AS fact
    LEFT JOIN (${firsts}) AS first ON ${of === 'person' ? 'fact.person_number' : 'fact.visitor'} = first.first_of`;
}

/** The columns of {@link firstVisitsSql}, before those of its values. `first_of` is the visitor or person. */
export const FIRST_COLUMNS = ['first_of', 'first_visit', 'touch_at'] as const;

/** SQL for the first visit of each visitor or person in these rows. */
export function firstVisitsSql(
  among: string,
  plan: Scope,
  bind: Bind,
  { of, values }: { readonly of: 'visitor' | 'person'; readonly values: string },
): string {
  const isOfPerson = of === 'person';
  const isAmong = isOfPerson
    ? isVisitorOfPersons(among, plan, bind)
    : `visitor IN (SELECT visitor FROM (${among}) WHERE ${IS_SOMEBODY})`;
  const visits = visitRowsSql(plan, bind, {
    columns: `visitor, visit_id AS first_visit, ${VISIT.touchedAt} AS touch_at${values}`,
    where: all(visitsOfPeople(plan), isAmong),
  });
  return `
      SELECT ${isOfPerson ? personNumber(plan) : 'visitor'} AS first_of, seen.* EXCEPT (visitor)
      FROM (${visits}) AS seen ${isOfPerson ? joinPersons(plan, bind) : ''}
      ORDER BY touch_at, first_visit
      LIMIT 1 BY first_of`;
}
