/** The entries that were put last, by site and visitor. */
export interface TwoGenerations<Value> {
  find(siteId: string, visitorId: string): Value | undefined;
  put(siteId: string, visitorId: string, value: Value): void;
  clear(): void;
}

/**
 * Keeps so many of the entries that were put last at least, and twice as many at most.
 *
 * - Why two generations: the older half is dropped at once, which needs no bookkeeping per entry.
 * - Why a map in a map: to join the two names costs more than the second look.
 */
export function createTwoGenerations<Value>(keptMin: number): TwoGenerations<Value> {
  type Sites = Map<string, Map<string, Value>>;
  let young: Sites = new Map();
  let old: Sites = new Map();
  let youngSize = 0;

  return {
    find: (siteId, visitorId) =>
      young.get(siteId)?.get(visitorId) ?? old.get(siteId)?.get(visitorId),
    put(siteId, visitorId, value) {
      if (youngSize >= keptMin) {
        [young, old, youngSize] = [new Map(), young, 0];
      }
      const visitors = young.getOrInsertComputed(siteId, () => new Map());
      youngSize -= visitors.size;
      visitors.set(visitorId, value);
      youngSize += visitors.size;
    },
    clear() {
      [young, old, youngSize] = [new Map(), new Map(), 0];
    },
  };
}
