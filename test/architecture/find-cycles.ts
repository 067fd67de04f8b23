/** One cycle for each arrow that closes one: the names on it, the first one again at the end. */
export function findCycles(targetsByName: ReadonlyMap<string, Iterable<string>>): string[][] {
  const done = new Set<string>();
  const cycles: string[][] = [];
  const visit = (name: string, trail: readonly string[]): void => {
    if (trail.includes(name)) {
      cycles.push([...trail.slice(trail.indexOf(name)), name]);
      return;
    }
    if (done.has(name)) return;
    for (const next of targetsByName.get(name) ?? []) visit(next, [...trail, name]);
    done.add(name);
  };
  for (const name of targetsByName.keys()) visit(name, []);
  return cycles;
}
