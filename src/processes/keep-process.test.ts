import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { keepProcess } from './keep-process.ts';

const READY = "process.send({ kind: 'ready' }); setInterval(() => {}, 1_000)";
/** Beyond what the kernel takes for a process, so that the start itself throws. */
const HUGE = 'x'.repeat(16 * 1024 * 1024);

function startReady() {
  return spawn(process.execPath, ['-e', READY], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}

describe('a process that is kept running', { concurrency: true }, () => {
  const failures = [
    { named: 'throws', code: 'E2BIG', start: () => spawn(process.execPath, ['-e', HUGE]) },
    { named: 'reports an error', code: 'ENOENT', start: () => spawn('/nowhere/at-all') },
  ];
  for (const { named, code, start } of failures) {
    it(`is started again when its start ${named}, once for each`, async () => {
      let starts = 0;
      const deaths: string[] = [];
      const ready = Promise.withResolvers<void>();
      const kept = keepProcess({
        start() {
          starts += 1;
          return starts <= 2 ? start() : startReady();
        },
        onDeath: (how) => deaths.push(how),
        onReady: () => ready.resolve(),
      });
      await ready.promise;
      await sleep(1_000);
      assert.equal(starts, 3);
      assert.equal(deaths.length, 2);
      assert.match(deaths[0] ?? '', new RegExp(code));
      await kept.end(1_000);
      assert.equal(deaths.length, 2);
    });

    it(`is ended at once when its start ${named}`, async () => {
      let starts = 0;
      const kept = keepProcess({
        start() {
          starts += 1;
          return start();
        },
        onDeath: () => {},
      });
      await Promise.race([
        kept.end(60_000),
        sleep(30_000, undefined, { ref: false }).then(() =>
          assert.fail('it waits for what never ran'),
        ),
      ]);
      await sleep(300);
      assert.equal(starts, 1);
    });
  }

  it('is started again when it dies after it was ready', async () => {
    const deaths: string[] = [];
    const first = Promise.withResolvers<void>();
    const again = Promise.withResolvers<void>();
    const pids = new Set<number>();
    const kept = keepProcess({
      start: startReady,
      onDeath: (how) => deaths.push(how),
      onReady(_, pid) {
        pids.add(pid);
        first.resolve();
        if (pids.size === 2) again.resolve();
      },
    });
    await first.promise;
    kept.replace();
    await again.promise;
    assert.deepEqual(deaths, ['SIGKILL']);
    await kept.end(1_000);
  });
});
