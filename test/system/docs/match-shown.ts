const ANY = '…';

/**
 * The differences between an answer and the page's version of it; none if they agree.
 *
 * - Shape: on the page, `"…"` stands for any value and `…` inside a string for any characters. `"…"` at the end of a
 *   list stands for more items, a member `"…"` for more members.
 */
export function findDifferences(shown: unknown, answered: unknown, path = ''): string[] {
  if (typeof shown === 'string') return isText(shown, answered) ? [] : [differs()];
  if (Array.isArray(shown)) return Array.isArray(answered) ? inList(shown, answered) : [differs()];
  if (typeof shown === 'object' && shown !== null) {
    return typeof answered === 'object' && answered !== null
      ? inMembers(shown as Members, answered as Members)
      : [differs()];
  }
  return shown === answered ? [] : [differs()];

  function differs(): string {
    return `${path || '/'}: shown ${JSON.stringify(shown)}, answered ${JSON.stringify(answered)}`;
  }

  function inList(items: readonly unknown[], found: readonly unknown[]): string[] {
    const goesOn = items.at(-1) === ANY && items.length > 1;
    const listed = goesOn ? items.slice(0, -1) : items;
    if (goesOn ? found.length < listed.length : found.length !== listed.length) return [differs()];
    return listed.flatMap((item, index) => findDifferences(item, found[index], `${path}/${index}`));
  }

  function inMembers(members: Members, found: Members): string[] {
    const more = Object.keys(found).filter((name) => !(name in members));
    return [
      ...(ANY in members ? [] : more.map((name) => `${path}/${name}: answered, not shown`)),
      ...Object.keys(members)
        .filter((name) => name !== ANY)
        .flatMap((name) => findDifferences(members[name], found[name], `${path}/${name}`)),
    ];
  }
}

type Members = Readonly<Record<string, unknown>>;

/** Whether a text is as shown; `…` alone matches any existing value of any type. */
export function isText(shown: string, answered: unknown): boolean {
  if (shown === ANY) return answered !== undefined;
  if (typeof answered !== 'string') return false;
  const pieces = shown.split(ANY).map((piece) => piece.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${pieces.join('[\\s\\S]*?')}$`).test(answered);
}
