import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parsePeopleOrder, writeOrder } from './order.ts';

describe('the order of people in the address', () => {
  it('is the latest first when nothing, or nonsense, is there', () => {
    for (const text of [null, '', 'shoe_size', '--revenue']) {
      assert.deepEqual(parsePeopleOrder(text), { by: 'last_seen_at', direction: 'desc' });
    }
  });

  it('reads what it wrote', () => {
    for (const order of [
      { by: 'revenue', direction: 'desc' },
      { by: 'revenue', direction: 'asc' },
      { by: 'last_seen_at', direction: 'asc' },
      { by: 'last_seen_at', direction: 'desc' },
    ] as const) {
      assert.deepEqual(parsePeopleOrder(writeOrder(order)), order);
    }
  });
});
