import { toOwnName } from '#contract/plausible-names.ts';
import { DIMENSION_LABELS } from '#contract/reports/catalog.ts';
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

/** Whether the API filters by this dimension, which may have Plausible's name. */
export function isFilterDimension(dimension: string): boolean {
  if (/^event:props:[a-z0-9_-]{1,64}$/.test(dimension)) return true;
  const own = toOwnName(dimension);
  return Object.hasOwn(DIMENSION_LABELS, own) && !/^time|^event:property$/.test(own);
}
