import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { shipAlone, shipTogether } from './shipping-lock.ts';

describe('the shipping lock', () => {
  it('allows concurrent shared work, and exclusive work only alone', async () => {
    const steps: string[] = [];
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const together = [
      shipTogether(() => first.promise.then(() => steps.push('one'))),
      shipTogether(() => second.promise.then(() => steps.push('two'))),
    ];
    const alone = shipAlone(async () => steps.push('alone'));
    const later = shipTogether(async () => steps.push('three'));
    first.resolve();
    await together[0];
    second.resolve();
    await Promise.all([...together, alone, later]);
    assert.deepEqual(steps, ['one', 'two', 'alone', 'three']);
  });

  it('grants exclusive work even while shared work never pauses', async () => {
    let isOver = false;
    const workByTurns = async () => {
      while (!isOver) await shipTogether(() => sleep(20));
    };
    const others = [workByTurns(), sleep(10).then(workByTurns)];
    assert.equal(await shipAlone(async () => 'alone'), 'alone');
    isOver = true;
    await Promise.all(others);
  });

  it('is released when the work fails', async () => {
    const failing = shipAlone(async () => {
      throw new Error('away');
    });
    await assert.rejects(failing, /away/);
    assert.equal(await shipTogether(async () => 'done'), 'done');
  });
});
