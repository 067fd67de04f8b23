import { PEOPLE_ORDERS, type PeopleOrder } from '#contract/people.ts';

type PeopleSort = { readonly by: PeopleOrder; readonly direction: 'asc' | 'desc' };

const BY_DEFAULT: PeopleSort = { by: 'last_seen_at', direction: 'desc' };

/** Parses `revenue` or `-revenue` (reversed); defaults to the most recently seen first. */
export function parsePeopleOrder(text: string | null): PeopleSort {
  const [, minus, name] = /^(-?)(\w+)$/.exec(text ?? '') ?? [];
  const by = PEOPLE_ORDERS.find((each) => each === name);
  return by === undefined ? BY_DEFAULT : { by, direction: minus === '-' ? 'asc' : 'desc' };
}

/** The inverse of {@link parsePeopleOrder}; empty for the default order. */
export function writeOrder({ by, direction }: { by: string; direction: 'asc' | 'desc' }): string {
  if (by === BY_DEFAULT.by && direction === BY_DEFAULT.direction) return '';
  return direction === 'asc' ? `-${by}` : by;
}
