import type { Bind, EventDimension } from '../../dimension.ts';
import { conjuncts, type Filter, isAboutEvents } from '../filter.ts';

/**
 * SQL of what events of each visit have of these dimensions: `seen_visit` and `e0, e1, …`, a row for each
 * combination of values that one event has.
 *
 * - Why groups and not `DISTINCT`: of millions of visits, groups go on in files where memory ends.
 */
export function seenSql(dimensions: readonly EventDimension[], bind: Bind, where: string): string {
  const values = dimensions.map((dimension, index) => `, ${dimension.sql(bind)} AS e${index}`);
  const columns = dimensions.map((_, index) => `, e${index}`);
  return `
    SELECT visit_id AS seen_visit${values.join('')}
    FROM events WHERE ${where}
    GROUP BY seen_visit${columns.join('')}`;
}

/** What a filter asks of the very event that is shown, and what of its visit. */
export function splitByEvents(filter: Filter): {
  readonly onEvents: Filter;
  readonly onVisits: Filter;
} {
  const conditions = conjuncts(filter);
  return {
    onEvents: { op: 'and', of: conditions.filter(isAboutEvents) },
    onVisits: { op: 'and', of: conditions.filter((part) => !isAboutEvents(part)) },
  };
}
