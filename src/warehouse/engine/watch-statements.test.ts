import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type WatchTimes, watchStatements } from './watch-statements.ts';

/** By default a statement that works may take for ever, so that only one that does nothing stalls. */
const TIMES: WatchTimes = {
  ...{ checkEveryMs: 100, graceMs: 300, busyGraceMs: Number.POSITIVE_INFINITY, suspendedMs: 5_000 },
};
const SHORT = new URLSearchParams({ max_execution_time: '0.1' });
const SPIN = 'for (;;);';

describe('the watchdog for statements', () => {
  /** A statement under way, and how often it stalled. */
  function begin(times: Partial<WatchTimes> = {}) {
    const { promise: stalled, resolve } = Promise.withResolvers<void>();
    const begun = { stalls: 0, stalled, end: () => {}, stop: () => {} };
    const watch = watchStatements(
      () => {
        begun.stalls += 1;
        resolve();
      },
      { ...TIMES, ...times },
    );
    begun.end = watch.begin(SHORT);
    begun.stop = watch.stop;
    return begun;
  }

  it('detects an overdue statement while the engine is idle', async () => {
    const { stalled, stop } = begin();
    await patiently(stalled);
    stop();
  });

  it('tolerates an overdue statement for longer while the engine is busy, but not for ever', async () => {
    const busy = new Worker(SPIN, { eval: true });
    await once(busy, 'online');
    try {
      const borne = begin();
      await sleep(1_500);
      borne.stop();
      assert.equal(borne.stalls, 0);
      const { stalled, stop } = begin({ busyGraceMs: 600 });
      await patiently(stalled);
      stop();
    } finally {
      await busy.terminate();
    }
  });

  it('does not count the time in which the process was suspended', async () => {
    const begun = begin({ graceMs: 1_000, busyGraceMs: 1_000, suspendedMs: 500 });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000);
    await sleep(300);
    begun.end();
    await sleep(300);
    begun.stop();
    assert.equal(begun.stalls, 0);
  });
});

/** The watch lets a process end: this keeps it until the promise resolves, on the busiest machine. */
async function patiently(promise: Promise<void>): Promise<void> {
  const over = new AbortController();
  const tooLate = sleep(60_000, undefined, { signal: over.signal }).then(() =>
    assert.fail('no stall within a minute'),
  );
  try {
    await Promise.race([promise, tooLate]);
  } finally {
    over.abort();
  }
}
