import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createInFlightRequests } from './in-flight-requests.ts';

describe('in-flight requests', () => {
  it('have ended when there are none', async () => {
    await createInFlightRequests().ended();
  });

  it('have ended when all earlier ones have, whatever began since', async () => {
    const requests = createInFlightRequests();
    const order: string[] = [];
    const [first, second] = [requests.begin(), requests.begin()];
    const ended = requests.ended().then(() => order.push('ended'));
    const later = requests.begin();
    for (const [name, end] of [['first', first] as const, ['second', second] as const]) {
      await new Promise(setImmediate);
      order.push(name);
      end();
    }
    await ended;
    assert.deepEqual(order, ['first', 'second', 'ended']);
    later();
  });

  it('have ended for a second caller no sooner than for the first', async () => {
    const requests = createInFlightRequests();
    let ended = 0;
    const first = requests.begin();
    const asked = [requests.ended().then(() => (ended += 1))];
    const second = requests.begin();
    asked.push(requests.ended().then(() => (ended += 1)));
    second();
    await new Promise(setImmediate);
    assert.equal(ended, 0);
    first();
    await Promise.all(asked);
    assert.equal(ended, 2);
  });
});
