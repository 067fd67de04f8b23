import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { listJobs } from '#jobs/job-figures.ts';
import { type Job, keepRunning } from '#jobs/keep-running.ts';
import { createManualTimers, type ManualTimers } from '../run/manual-timers.ts';

describe('a job that is kept running', () => {
  let timers: ManualTimers;
  let begun: number[];
  let changes: string[];
  beforeEach(() => {
    timers = createManualTimers();
    begun = [];
    changes = [];
  });
  const keep = (job: Partial<Job>) =>
    keepRunning({
      ...{ name: 'job', timers, onChange: (failure) => changes.push(failure?.message ?? 'well') },
      ...job,
      run(stopped) {
        begun.push(timers.now());
        return job.run?.(stopped);
      },
    });
  const after = (ms: number) =>
    new Promise<void>((resolve) => timers.after(ms, resolve, { keepsAlive: true }));

  it('runs again and again, first after its interval', async () => {
    keep({ everyMs: 100 });
    await timers.pass(350);
    assert.deepEqual(begun, [100, 200, 300]);
  });

  it('never overlaps itself, and goes on at its next tick', async () => {
    keep({ everyMs: 100, run: () => after(250) });
    await timers.pass(900);
    assert.deepEqual(begun, [100, 400, 700]);
  });

  it('runs only when it is woken if it has no interval', async () => {
    const job = keep({});
    await timers.pass(10_000);
    job.wake();
    await timers.pass(10_000);
    assert.deepEqual(begun, [10_000]);
  });

  it('can be woken, where the earliest time counts, and keeps its interval from then', async () => {
    const job = keep({ everyMs: 1_000 });
    await timers.pass(10);
    job.wake(500);
    job.wake(100);
    job.wake(300);
    await timers.pass(1_200);
    assert.deepEqual(begun, [110, 1_110]);
  });

  it('runs once more when it is woken during a run, by itself too', async () => {
    const job = keep({
      run: () => {
        if (begun.length === 1) job.wake();
        return after(50);
      },
    });
    job.wake();
    await timers.pass(30);
    job.wake(10);
    await timers.pass(1_000);
    assert.deepEqual(begun, [0, 50]);
  });

  it('runs now if asked, after a run in progress', async () => {
    const job = keep({ run: () => after(50) });
    const [one, other] = [job.runNow(), job.runNow()];
    assert.deepEqual(begun, [0]);
    await timers.pass(100);
    await Promise.all([one, other]);
    assert.deepEqual(begun, [0, 50]);
  });

  it('waits longer after each failure in a row, up to a bound, and a call does not wake it sooner', async () => {
    let isWell = false;
    const job = keep({
      ...{ everyMs: 100, retryMs: [200, 500] },
      run() {
        if (!isWell) throw new Error('away');
      },
    });
    await timers.pass(1_000);
    job.wake();
    await timers.pass(700);
    assert.deepEqual(begun, [100, 300, 700, 1_200, 1_700]);
    isWell = true;
    await timers.pass(700);
    assert.deepEqual(begun.slice(5), [2_200, 2_300, 2_400]);
    isWell = false;
    await timers.pass(350);
    assert.deepEqual(begun.slice(8), [2_500, 2_700]);
  });

  it('reports each change of its state once', async () => {
    const failures = ['away', 'away', 'full', 'full', undefined, undefined, 'away'];
    keep({
      everyMs: 100,
      async run() {
        const failure = failures[begun.length - 1];
        if (failure !== undefined) throw new Error(failure);
      },
    });
    await timers.pass(700);
    assert.deepEqual(changes, ['away', 'full', 'well', 'away']);
  });

  it('reports a failure to the caller', async () => {
    const job = keep({
      run() {
        throw new Error('away');
      },
    });
    await assert.rejects(job.runNow(), /away/);
    assert.deepEqual(changes, ['away']);
  });

  it('has ended when its stop resolves, whatever the run in progress says then', async () => {
    let isEnded = false;
    const job = keep({
      everyMs: 100,
      async run(stopped) {
        await after(50);
        isEnded = stopped.aborted;
        throw new Error('cut off');
      },
    });
    await timers.pass(120);
    const stopped = job.stop();
    job.wake();
    await timers.pass(1_000);
    await stopped;
    await job.runNow();
    assert.deepEqual([isEnded, begun, changes], [true, [100], []]);
  });

  it('counts its runs, failures and time, together with those of the same name', async () => {
    const before = Date.now();
    keep({ name: 'counted', everyMs: 1_000, run: () => after(5) });
    keep({
      ...{ name: 'counted', everyMs: 100 },
      async run() {
        await after(10);
        if (begun.length === 3) throw new Error('away');
      },
    });
    await timers.pass(1_080);
    const { succeededAt = 0, ...figures } = listJobs().find(({ name }) => name === 'counted') ?? {};
    assert.deepEqual(figures, { name: 'counted', runs: 11, failures: 1, tookMs: 105 });
    assert.ok(succeededAt >= before);
  });
});
