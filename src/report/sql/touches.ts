import type { Bind, VisitDimension } from '../dimension.ts';
import type { Question } from '../question.ts';
import { isVisitorOf, joinPersons, PERSON } from './persons.ts';
import { byPeople, visitColumns } from './rows.ts';

/**
 * SQL of when a visit became a touch, in milliseconds, over rows of `visits FINAL`.
 *
 * Why its first event counts, if that is earlier than its start: the start comes from the visitor's
 * clock, which may run minutes ahead of ours.
 */
export const TOUCH_AT = 'toUnixTimestamp64Milli(least(visit_started_at, first_event_at))';

/** SQL of whether nothing tells where a visit came from, over rows of `visits FINAL`. */
export const IS_DIRECT = "source = '' AND medium = '' AND campaign = '' AND click_id = ''";

/**
 * SQL of the visits of the persons of these rows: `touch_person`, `touch_at`, `touch_visit`, and
 * `v0, v1, …` for dimensions. Of visits that began in the same millisecond, one.
 */
export function touchesSql(
  persons: string,
  dimensions: readonly VisitDimension[],
  question: Question,
  { bind, more = '' }: { readonly bind: Bind; readonly more?: string },
): string {
  return `
    SELECT ${PERSON} AS touch_person, visit_id AS touch_visit, 1 AS touch_known,
      ${TOUCH_AT} AS touch_at${more}${visitColumns(dimensions, question, bind)}
    FROM visits FINAL ${joinPersons(question, bind)}
    WHERE site_id = ${bind(question.site.id, 'String')} AND ${byPeople(question)}
      AND ${isVisitorOf(persons, question, bind)}
    ORDER BY touch_at, touch_visit
    LIMIT 1 BY touch_person, touch_at`;
}
