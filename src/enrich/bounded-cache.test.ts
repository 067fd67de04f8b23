import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createBoundedCache } from './bounded-cache.ts';

describe('a bounded cache', () => {
  it('computes a cached value once', () => {
    const { cache, asked } = recordingCache(2);
    cache('a');
    cache('a');
    assert.deepEqual(asked, ['a']);
  });

  it('evicts what two generations did not use', () => {
    const { cache, asked } = recordingCache(2);
    for (const key of ['a', 'b', 'c', 'd', 'e', 'a']) cache(key);
    assert.deepEqual(asked, ['a', 'b', 'c', 'd', 'e', 'a']);
  });

  it('keeps what is used often', () => {
    const { cache, asked } = recordingCache(2);
    for (const key of ['a', 'b', 'a', 'c', 'a', 'd', 'a', 'e', 'a']) cache(key);
    assert.deepEqual(asked, ['a', 'b', 'c', 'd', 'e']);
  });

  it('answers long keys without caching them', () => {
    const { cache, asked } = recordingCache(2);
    const long = 'x'.repeat(513);
    assert.equal(cache(long), cache(long));
    assert.equal(asked.length, 2);
  });
});

function recordingCache(size: number) {
  const asked: string[] = [];
  const cache = createBoundedCache<string>(size);
  const find = (key: string) => {
    asked.push(key);
    return `answer to ${key}`;
  };
  return { asked, cache: (key: string) => cache.recall(key, find) };
}
