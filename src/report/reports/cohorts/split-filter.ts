import type { Fault } from '#contract/fault.ts';
import type { FilteredDimension } from '../../dimension.ts';
import { conjuncts, type Filter, filteredDimensions, namesBehaviour } from '../../query/filter.ts';

/** A filter in its two parts. */
export type SplitFilter = {
  /** Who is meant, by their first visit. */
  readonly whom: Filter;
  /** Which payments count. */
  readonly payments: Filter;
};

/**
 * What a filter says of people, by their first visit, and what of payments; a fault is noted and
 * leaves `undefined`.
 *
 * - Refuses tests of events, which no first visit or payment has, and of payments in a report without any.
 */
export function splitFilter(
  filter: Filter,
  { takesPayments }: { readonly takesPayments: boolean },
  faults: Fault[],
): SplitFilter | undefined {
  const whom: Filter[] = [];
  const payments: Filter[] = [];
  const before = faults.length;
  for (const part of conjuncts(filter)) {
    const dimensions = [...filteredDimensions(part)];
    const isOfPayments = dimensions.some(({ of }) => of === 'payment');
    const message = findFault(part, dimensions, takesPayments);
    if (message !== undefined) faults.push({ path: '/filters', message });
    else if (isOfPayments) payments.push(part);
    else whom.push(part);
  }
  if (faults.length > before) return undefined;
  return { whom: { op: 'and', of: whom }, payments: { op: 'and', of: payments } };
}

const KNOWN =
  'Here visit:* and visitor:* choose people, by their first visit, and payment:* chooses payments.';

function findFault(
  part: Filter,
  dimensions: readonly FilteredDimension[],
  takesPayments: boolean,
): string | undefined {
  if (namesBehaviour(part)) return `"has_done" and "has_not_done" are not supported here. ${KNOWN}`;
  const names = dimensions.map(({ name }) => name).join(', ');
  if (dimensions.some(({ of }) => of === 'event')) return `${names}: ${KNOWN}`;
  const ofPayments = dimensions.filter((dimension) => dimension.of === 'payment');
  if (ofPayments.length === 0) return undefined;
  if (!takesPayments) return `${names}: this report counts no payments. ${KNOWN}`;
  if (ofPayments.some(({ toldBy }) => toldBy !== undefined)) {
    return `${names} comes from a visit; use visit:country, which is that of the first visit.`;
  }
  if (ofPayments.length === dimensions.length) return undefined;
  return `${names}: filters of people and of payments may only be joined by "and". ${KNOWN}`;
}
