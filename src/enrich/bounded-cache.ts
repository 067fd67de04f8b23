/** Longer keys are not cached, so that a sender of many long, distinct texts cannot fill the memory. */
const MAX_KEY_LENGTH = 512;

/**
 * Creates a cache of two generations. When the young generation is full, it becomes the old one, and
 * the previous old one is dropped. A hit in the old generation moves the entry to the young one.
 *
 * - Why not LRU: this keeps popular entries just as well, with two maps and no list.
 */
export function createBoundedCache<Value>(sizePerGeneration: number) {
  let young = new Map<string, Value>();
  let old = new Map<string, Value>();

  const remember = (key: string, value: Value): Value => {
    if (young.size >= sizePerGeneration) {
      [young, old] = [new Map(), young];
    }
    young.set(key, value);
    return value;
  };

  return {
    /** Returns the cached value, or computes it with `find` and caches it. */
    recall(key: string, find: (key: string) => Value): Value {
      const fresh = young.get(key);
      if (fresh !== undefined) return fresh;
      if (key.length > MAX_KEY_LENGTH) return find(key);
      return remember(key, old.get(key) ?? find(key));
    },
  };
}
