/**
 * Creates a cache that keeps at least `keptMin` of the latest entries, and at most twice as many.
 *
 * - Why two generations: evicting the older half at once needs no bookkeeping per entry.
 * - Why nested maps: concatenating the two ids costs more than a second lookup.
 */
export function createTwoGenerations<Value>(keptMin: number) {
  type Sites = Map<string, Map<string, Value>>;
  let young: Sites = new Map();
  let old: Sites = new Map();
  let youngSize = 0;

  return {
    find: (siteId: string, visitorId: string): Value | undefined =>
      young.get(siteId)?.get(visitorId) ?? old.get(siteId)?.get(visitorId),
    put(siteId: string, visitorId: string, value: Value): void {
      if (youngSize >= keptMin) {
        [young, old, youngSize] = [new Map(), young, 0];
      }
      const visitors = young.getOrInsertComputed(siteId, () => new Map());
      youngSize -= visitors.size;
      visitors.set(visitorId, value);
      youngSize += visitors.size;
    },
    clear(): void {
      [young, old, youngSize] = [new Map(), new Map(), 0];
    },
  };
}
