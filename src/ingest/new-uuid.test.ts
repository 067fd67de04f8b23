import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { UUID_V7_PATTERN } from '#contract/patterns.ts';
import { instantOfUuid, newUuid } from './new-uuid.ts';

describe('a new UUID', () => {
  const instants = fc.integer({ min: 0, max: 2 ** 48 - 1 });

  it('is version 7 and carries its instant', () => {
    fc.assert(
      fc.property(instants, (at) => {
        assert.match(newUuid(at), new RegExp(UUID_V7_PATTERN));
        assert.equal(instantOfUuid(newUuid(at)), at);
      }),
    );
  });

  it('sorts by its instant', () => {
    fc.assert(
      fc.property(instants, instants, (a, b) => {
        if (a !== b) assert.equal(newUuid(a) < newUuid(b), a < b);
      }),
    );
  });

  it('is different each time', () => {
    const ids = Array.from({ length: 1_000 }, () => newUuid(0));
    assert.equal(new Set(ids).size, ids.length);
  });
});
