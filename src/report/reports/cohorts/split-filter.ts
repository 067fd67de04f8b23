import type { Fault } from '#contract/fault.ts';
import { conjuncts, type Filter, filteredDimensions, namesBehaviour } from '../../query/filter.ts';

/** A filter, split into its two parts. */
export type SplitFilter = {
  /** The condition on persons, by their first visit. */
  readonly whom: Filter;
  /** The condition on payments. */
  readonly payments: Filter;
};

/**
 * Splits a filter into conditions on people, by their first visit, and on payments. Notes faults.
 *
 * - Refuses conditions on events, which neither has, and on payments in a report without them.
 */
export function splitFilter(
  filter: Filter,
  { takesPayments }: { readonly takesPayments: boolean },
  faults: Fault[],
): SplitFilter {
  const parts = conjuncts(filter);
  const messages = parts.map((part) => findFault(part, takesPayments));
  for (const message of messages.filter((each) => each !== undefined)) {
    faults.push({ path: '/filters', message });
  }
  return {
    whom: { op: 'and', of: parts.filter((part) => !isOfPayments(part)) },
    payments: { op: 'and', of: parts.filter(isOfPayments) },
  };
}

const KNOWN =
  'Here visit:* and visitor:* choose people, by their first visit, and payment:* chooses payments.';

function findFault(part: Filter, takesPayments: boolean): string | undefined {
  if (namesBehaviour(part)) return `"has_done" and "has_not_done" are not supported here. ${KNOWN}`;
  const dimensions = [...filteredDimensions(part)];
  const names = dimensions.map(({ name }) => name).join(', ');
  if (dimensions.some(({ of }) => of === 'event')) return `${names}: ${KNOWN}`;
  if (!isOfPayments(part)) return undefined;
  if (!takesPayments) return `${names}: this report has no payments. ${KNOWN}`;
  if (dimensions.some((each) => each.of === 'payment' && each.foundIn !== undefined)) {
    return `${names} comes from a visit; use visit:country, which is that of the first visit.`;
  }
  if (dimensions.every(({ of }) => of === 'payment')) return undefined;
  return `${names}: filters of people and of payments may only be joined by "and". ${KNOWN}`;
}

function isOfPayments(part: Filter): boolean {
  return [...filteredDimensions(part)].some(({ of }) => of === 'payment');
}
