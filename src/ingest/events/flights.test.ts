import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFlights } from './flights.ts';

describe('flights', () => {
  it('are settled when none is under way', async () => {
    await createFlights().settled();
  });

  it('are settled when all that began before are over, whatever began since', async () => {
    const flights = createFlights();
    const order: string[] = [];
    const [first, second] = [flights.begin(), flights.begin()];
    const settled = flights.settled().then(() => order.push('settled'));
    const later = flights.begin();
    for (const [name, end] of [['first', first] as const, ['second', second] as const]) {
      await new Promise(setImmediate);
      order.push(name);
      end();
    }
    await settled;
    assert.deepEqual(order, ['first', 'second', 'settled']);
    later();
  });

  it('are settled for a second one who asks only with those that the first waits for', async () => {
    const flights = createFlights();
    let settled = 0;
    const first = flights.begin();
    const asked = [flights.settled().then(() => (settled += 1))];
    const second = flights.begin();
    asked.push(flights.settled().then(() => (settled += 1)));
    second();
    await new Promise(setImmediate);
    assert.equal(settled, 0);
    first();
    await Promise.all(asked);
    assert.equal(settled, 2);
  });
});
