import { FILTER_OPERATORS, type Filter } from '../../address.ts';

/** Query API filters as chips; undefined when one cannot be a chip, such as a nested one. */
export function toChips(filters: readonly (readonly unknown[])[]): Filter[] | undefined {
  const chips = filters.map(toChip);
  return chips.every((chip) => chip !== undefined) ? chips : undefined;
}

function toChip(filter: readonly unknown[]): Filter | undefined {
  const [name, operand, values] = filter;
  const operator = FILTER_OPERATORS.find((each) => each === name);
  if (operator === undefined || filter.length > 3) return undefined;
  if (operator === 'has_done' || operator === 'has_not_done') {
    const done = Array.isArray(operand) ? toChip(operand) : undefined;
    return done?.operator === 'is' ? { ...done, operator } : undefined;
  }
  const isChip = typeof operand === 'string' && Array.isArray(values) && values.length > 0;
  return isChip ? { operator, dimension: operand, values: values.map(String) } : undefined;
}
