import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DROP_REASONS as REASONS } from '#domain/visit/dropped-events.ts';
import { DROP_MEANINGS, sumDrops } from './left-out.ts';

describe('what is left out', () => {
  it('is summed by reason, the most first', () => {
    const counts = [
      { reason: 'invalid_event', count: 2 },
      { reason: 'hostname_not_allowed', count: 4 },
      { reason: 'invalid_event', count: 3 },
    ];
    assert.deepEqual(sumDrops(counts), [
      { reason: 'invalid_event', count: 5 },
      { reason: 'hostname_not_allowed', count: 4 },
    ]);
  });

  it('has words for each reason of the API', () => {
    assert.deepEqual(Object.keys(DROP_MEANINGS).sort(), [...REASONS].sort());
  });
});
