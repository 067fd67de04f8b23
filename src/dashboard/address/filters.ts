import type { ViewFilter } from '../format/dimensions.ts';

/**
 * The filters after a click on a row: only this value, or with `is_not` all but this one and any
 * excluded before.
 */
export function filterBy(
  filters: readonly ViewFilter[],
  operator: 'is' | 'is_not',
  dimension: string,
  value: string,
): readonly ViewFilter[] {
  const isSame = (filter: ViewFilter) =>
    filter.dimension === dimension && filter.operator === operator;
  const before =
    operator === 'is_not' ? filters.filter(isSame).flatMap(({ values }) => values) : [];
  const values = [...new Set([...before, value])];
  return [...filters.filter((filter) => !isSame(filter)), { operator, dimension, values }];
}
