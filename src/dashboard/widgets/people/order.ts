import { PEOPLE_ORDERS, type PeopleOrder } from '#contract/people.ts';

/** What the list stands by, and which way. */
export type PeopleSort = { readonly by: PeopleOrder; readonly direction: 'asc' | 'desc' };

const BY_DEFAULT: PeopleSort = { by: 'last_seen_at', direction: 'desc' };

/** `revenue` or `-revenue` (the other way) as an order; the latest first when it is neither. */
export function parseOrder(text: string | null): PeopleSort {
  const [, minus, name] = /^(-?)(\w+)$/.exec(text ?? '') ?? [];
  const by = PEOPLE_ORDERS.find((each) => each === name);
  return by === undefined ? BY_DEFAULT : { by, direction: minus === '-' ? 'asc' : 'desc' };
}

/** The text that {@link parseOrder} reads; nothing for the order by default. */
export function writeOrder({ by, direction }: { by: string; direction: 'asc' | 'desc' }): string {
  if (by === BY_DEFAULT.by && direction === BY_DEFAULT.direction) return '';
  return direction === 'asc' ? `-${by}` : by;
}
