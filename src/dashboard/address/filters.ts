import { toOwnName } from '#contract/plausible-names.ts';
import { DIMENSION_LABELS } from '#contract/reports/catalog.ts';
import { FILTER_OPERATORS, type ViewFilter } from '../format/dimensions.ts';

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

/** Query API filters as chips; undefined when one cannot be a chip, such as a nested one. */
export function toChips(filters: readonly (readonly unknown[])[]): ViewFilter[] | undefined {
  const chips = filters.map(toChip);
  return chips.every((chip) => chip !== undefined) ? chips : undefined;
}

/** How chips find a part of a value. */
const ANY_CASE = JSON.stringify({ case_sensitive: false });

function toChip(filter: readonly unknown[]): ViewFilter | undefined {
  const [name, operand, values, modifiers] = filter;
  const operator = FILTER_OPERATORS.find((each) => each === name);
  const isPart = operator === 'contains' || operator === 'contains_not';
  const isForm = JSON.stringify(modifiers) === (isPart ? ANY_CASE : undefined) && filter.length < 5;
  if (operator === undefined || !isForm) return undefined;
  if (operator === 'has_done' || operator === 'has_not_done') {
    const done = Array.isArray(operand) ? toChip(operand) : undefined;
    return done?.operator === 'is' ? { ...done, operator } : undefined;
  }
  const isChip = typeof operand === 'string' && Array.isArray(values) && values.length > 0;
  return isChip ? { operator, dimension: operand, values: values.map(String) } : undefined;
}
