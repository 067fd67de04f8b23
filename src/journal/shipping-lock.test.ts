import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openShippingLock, type ShippingLock } from './shipping-lock.ts';

describe('the shipping lock', () => {
  it('lets many work together, and one alone only when nobody else does', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tributary-lock-'));
    const [one, two, three] = [0, 1, 2].map(() => openShippingLock(join(folder, 'shipping.lock')));
    assert.ok(one && two && three);
    const steps: string[] = [];
    const first = Promise.withResolvers<void>();
    const second = Promise.withResolvers<void>();
    const together = [
      one.together(() => first.promise).then(() => steps.push('one')),
      two.together(() => second.promise).then(() => steps.push('two')),
    ];
    const alone = three.alone(async () => {
      steps.push('alone');
      await assert.rejects(
        Promise.race([one.together(async () => {}), Promise.reject(new Error('not yet'))]),
      );
    });
    first.resolve();
    await together[0];
    second.resolve();
    await Promise.all([...together, alone]);
    assert.deepEqual(steps, ['one', 'two', 'alone']);
    for (const lock of [one, two, three]) lock.close();
    rmSync(folder, { recursive: true });
  });

  it('leaves a moment for being alone, though others work by turns without a pause', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tributary-lock-'));
    const [one, two, three] = [0, 1, 2].map(() => openShippingLock(join(folder, 'shipping.lock')));
    assert.ok(one && two && three);
    let isOver = false;
    const workByTurns = async (lock: ShippingLock, afterMs: number) => {
      await sleep(afterMs);
      while (!isOver) await lock.together(() => sleep(60));
    };
    const others = [workByTurns(one, 0), workByTurns(two, 30)];
    await sleep(100);
    const alone = three.alone(async () => 'alone');
    const got = await Promise.race([alone, sleep(3_000, 'never alone')]);
    isOver = true;
    await Promise.all([...others, alone]);
    assert.equal(got, 'alone');
    for (const lock of [one, two, three]) lock.close();
    rmSync(folder, { recursive: true });
  });

  it('is given back when the work fails', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tributary-lock-'));
    const lock = openShippingLock(join(folder, 'shipping.lock'));
    await assert.rejects(
      lock.alone(async () => {
        throw new Error('away');
      }),
      /away/,
    );
    assert.equal(await lock.together(async () => 'done'), 'done');
    lock.close();
    rmSync(folder, { recursive: true });
  });
});
