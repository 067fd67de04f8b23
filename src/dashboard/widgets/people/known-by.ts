import { PEOPLE_ORDERS, type PeopleOrder } from '#contract/people-orders.ts';

/** How a person is known, in lists and stories. */
export type KnownBy = {
  readonly person_id: string;
  readonly names?: readonly string[] | undefined;
  readonly emails?: readonly string[] | undefined;
  readonly user_ids: readonly string[];
  readonly customer_ids: readonly string[];
};

/** A person's clearest identifier: a name, else an address, else an id. */
export function nameOf(person: KnownBy): string {
  const { names = [], emails = [], user_ids, customer_ids } = person;
  const [known] = [...names, ...emails, ...user_ids, ...customer_ids].filter(Boolean);
  return known ?? `Visitor ${person.person_id.slice(0, 8)}`;
}

/** A dimension's value; undefined if it says there is none. */
export function readValue(
  values: Readonly<Record<string, string>> | null,
  name: string,
): string | undefined {
  const value = values?.[name];
  return value === undefined || value === '' || value === '(none)' ? undefined : value;
}

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
