/** A memory of answers that never grows past twice its size. */
export interface BoundedCache<Value> {
  /** The remembered answer, else the answer of `find`, which is then remembered. */
  recall(key: string, find: (key: string) => Value): Value;
}

/**
 * Keys longer than this are answered and not kept: a sender of long texts, each a new one, must not
 * fill the memory.
 */
const MAX_KEY_LENGTH = 512;

/**
 * A cache of two generations: when the young one is full it becomes the old one, and the old one
 * is forgotten. What is asked for again moves back to the young.
 *
 * - Why not least-recently-used: this keeps the popular answers as well, with two maps and no list.
 */
export function createBoundedCache<Value>(sizePerGeneration: number): BoundedCache<Value> {
  let young = new Map<string, Value>();
  let old = new Map<string, Value>();

  const remember = (key: string, value: Value): Value => {
    if (young.size >= sizePerGeneration) {
      old = young;
      young = new Map();
    }
    young.set(key, value);
    return value;
  };

  return {
    recall(key, find) {
      const fresh = young.get(key);
      if (fresh !== undefined) return fresh;
      if (key.length > MAX_KEY_LENGTH) return find(key);
      return remember(key, old.get(key) ?? find(key));
    },
  };
}
