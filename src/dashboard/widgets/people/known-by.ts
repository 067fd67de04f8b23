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
