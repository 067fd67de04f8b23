/** So many visitors are hardly one person. Rather, a program sends one id for everybody. */
export const IMPROBABLE_VISITORS = 50;

/** The keys that joined a person. */
type Keys = {
  readonly [Kind in 'visitors' | 'users' | 'customers' | 'emails']: readonly string[];
};

/**
 * The person with the most visitors, if they are improbably many, with the id that most likely joined them: one of
 * the kind with the fewest, because everybody's own ids are many.
 *
 * - Why without the ids of a day: a cookieless person has a visitor every day.
 */
export function findImprobablePerson(
  persons: readonly Keys[],
): { readonly name: string; readonly visitors: number } | undefined {
  const found = persons.map(({ visitors, users, customers, emails }) => {
    const shared = [users, customers, emails].filter((keys) => keys.length > 0);
    const [fewest = []] = shared.toSorted((a, b) => a.length - b.length);
    return { name: fewest[0] ?? '', visitors: visitors.filter((id) => !/^daily-/.test(id)).length };
  });
  return found
    .filter(({ visitors }) => visitors >= IMPROBABLE_VISITORS)
    .toSorted((a, b) => b.visitors - a.visitors)[0];
}
