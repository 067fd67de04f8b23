import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readDoc } from '../architecture/source-files.ts';
import { createOracle } from './oracle.ts';
import { ROWS } from './rows.ts';
import { createStallWatch } from './stall-watch.ts';

describe('the torture', () => {
  it('has every row in docs/reliability.md, and no other', () => {
    const documented = [...readDoc('docs/reliability.md').matchAll(/^\| ([TC]\d+\w?) \|/gm)];
    assert.deepEqual(
      documented.map((match) => match[1]).toSorted(),
      ROWS.map((row) => row.id).toSorted(),
    );
  });

  it('has an oracle that sees what is lost, doubled, foreign, and there in spite of a refusal', () => {
    const oracle = createOracle();
    for (const id of ['lost', 'doubled', 'good', 'refused', 'unanswered']) oracle.sendEvent(id);
    for (const id of ['lost', 'doubled', 'good']) oracle.acknowledgeEvent(id);
    oracle.refuseEvent('refused');
    const found = new Map(
      Object.entries({ doubled: 2, good: 1, refused: 1, unanswered: 1, foreign: 1 }),
    );
    assert.deepEqual(oracle.compareEvents(found), {
      lost: 1,
      doubled: 1,
      foreign: 1,
      refusedButThere: 1,
      unansweredButThere: 1,
    });
  });

  it('has an oracle that compares money to the minor unit', () => {
    const oracle = createOracle();
    for (const id of ['lost', 'wrong', 'good']) {
      oracle.sendPayment(id, 100);
      oracle.acknowledgePayment(id, { amountMinor: 100, refundedMinor: 1 });
    }
    const good = { amountMinor: 100, refundedMinor: 1 };
    const found = new Map(
      Object.entries({ good, wrong: { amountMinor: 100, refundedMinor: 2 }, foreign: good }),
    );
    assert.deepEqual(oracle.comparePayments(found), { lost: 1, foreign: 1, wrongAmount: 1 });
  });

  it('notices a stall that the server makes, in the time that the server itself takes', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tributary-stalls-'));
    const stalls = createStallWatch(join(folder, 'stalls'), () => {});
    const script = join(folder, 'processes', 'web.ts');
    mkdirSync(join(folder, 'processes'));
    const busy = 'const upTo = process.threadCpuUsage().user + 80_000;';
    writeFileSync(
      script,
      `setTimeout(() => { ${busy} while (process.threadCpuUsage().user < upTo); }, 50);
      setTimeout(() => {}, 300);`,
    );
    await stalls.during('80 ms of work', async () => {
      const child = spawn(process.execPath, [script], { env: { ...process.env, ...stalls.env } });
      await once(child, 'exit');
    });
    rmSync(folder, { recursive: true });
    assert.ok(stalls.longestMs > 70, `${stalls.longestMs} ms`);
  });
});
