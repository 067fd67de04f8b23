import { showPath, storePath } from '#domain/visit/paths.ts';
import type { FilterOperator, ViewFilter } from '../../format/dimensions.ts';
import { findMeant, hasNames, isPath } from '../../format/values.ts';

/** What stands in for an operator that would find nothing for a part of a value. */
const BY_PART: Partial<Record<FilterOperator, FilterOperator>> = {
  is: 'contains',
  is_not: 'contains_not',
};

/**
 * A filter by the chosen values and a typed text; undefined when they make none.
 *
 * - Shape: `is` takes the one value that the text stands for, of those found. Without one, a text alone makes a
 *   filter that `contains` it. Names of codes have no parts that the API knows.
 */
export function toTypedFilter(
  { operator, dimension, values }: ViewFilter,
  typed: string,
  found: readonly string[],
): ViewFilter | undefined {
  const chosen = { operator, dimension, values };
  if (typed === '') return values.length > 0 ? chosen : undefined;
  const isPattern = /^(?:contains|matches)/.test(operator);
  const meant = isPattern ? undefined : findMeant(dimension, typed, found);
  if (meant !== undefined) return { ...chosen, values: [...new Set([...values, meant])] };
  if (hasNames(dimension)) return values.length > 0 ? chosen : undefined;
  const own = isPath(dimension) ? storePath(findPart(typed, found) ?? typed) : typed;
  const byPart = values.length === 0 ? BY_PART[operator] : undefined;
  return { ...chosen, operator: byPart ?? operator, values: [...new Set([...values, own])] };
}

/** A typed part of a path in the case of the first path found that has it: the API knows no case of encoded letters. */
function findPart(typed: string, found: readonly string[]): string | undefined {
  const paths = found.map(showPath);
  const path = paths.find((each) => each.toLowerCase().includes(typed.toLowerCase()));
  const at = path?.toLowerCase().indexOf(typed.toLowerCase());
  return path?.slice(at, (at ?? 0) + typed.length);
}
