import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { watchStatements } from './watch-statements.ts';

const GRACES = { graceMs: 1_000, busyGraceMs: 6_000 };
const SHORT = new URLSearchParams({ max_execution_time: '0.1' });
const SPIN = 'for (;;);';

describe('the watch over statements', () => {
  async function stallsOf(waitMs: number): Promise<number> {
    let stalls = 0;
    const watch = watchStatements(() => {
      stalls += 1;
    }, GRACES);
    watch.begin(SHORT);
    await sleep(waitMs);
    watch.stop();
    return stalls;
  }

  it('tells when one is under way for too long and the engine does nothing', async () => {
    assert.ok((await stallsOf(4_500)) > 0);
  });

  it('bears one for longer while the engine works, and not for ever', async () => {
    const busy = new Worker(SPIN, { eval: true });
    try {
      assert.equal(await stallsOf(4_500), 0);
      assert.ok((await stallsOf(9_500)) > 0);
    } finally {
      await busy.terminate();
    }
  });

  it('does not count the time in which the process itself was stopped', async () => {
    let stalls = 0;
    const watch = watchStatements(() => {
      stalls += 1;
    }, GRACES);
    const ended = watch.begin(SHORT);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 6_500);
    await sleep(600);
    ended();
    await sleep(2_000);
    watch.stop();
    assert.equal(stalls, 0);
  });
});
