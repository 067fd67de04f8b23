import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataPathsOf } from '#processes/paths.ts';
import { MAIN } from '../../server/program.ts';
import { makeDataDir, runCli } from '../../server/start-server.ts';

const PAYMENTS = 6_000;
const EMPTY = { payments: 0, paid: 0, refunds: 0, back: 0 };

/** Every tenth payment of 10.01, 10.02 … has a refund of 1.00 on the next line. */
function toFile(): string {
  const lines = ['transaction_id,amount,currency,timestamp,email,refunded,original_transaction_id'];
  for (let number = 1; number <= PAYMENTS; number += 1) {
    const at = `2026-01-02T10:00:00Z,buyer${number % 500}@example.com`;
    lines.push(`p${number},${((1_000 + number) / 100).toFixed(2)},EUR,${at},,`);
    if (number % 10 === 0) lines.push(`r${number},1.00,EUR,${at},true,p${number}`);
  }
  return `${lines.join('\n')}\n`;
}

const WHOLE = {
  payments: PAYMENTS,
  paid: 1_000 * PAYMENTS + (PAYMENTS * (PAYMENTS + 1)) / 2,
  refunds: PAYMENTS / 10,
  back: (PAYMENTS / 10) * 100,
};

describe('an import that is killed', () => {
  let dataDir: string;
  let file: string;
  before(async () => {
    dataDir = makeDataDir();
    await runCli(['site', 'add', 'tea.example', '--currency', 'EUR'], dataDir);
    file = join(dataDir, 'payments.csv');
    writeFileSync(file, toFile());
  });
  after(() => rmSync(dataDir, { recursive: true }));

  /** The sums of what counts, in cents. */
  function sum(): typeof EMPTY {
    const db = new DatabaseSync(dataPathsOf(dataDir).ledger, { readOnly: true, timeout: 5_000 });
    const { refunds, back, ...paid } = db
      .prepare(
        `SELECT count(stated_minor) AS payments, coalesce(sum(stated_minor), 0) AS paid,
           (SELECT count(*) FROM refunds) AS refunds,
           (SELECT coalesce(sum(amount_minor), 0) FROM refunds) AS back
         FROM payments`,
      )
      .get() as unknown as typeof EMPTY;
    db.close();
    return { ...paid, refunds, back };
  }

  /** Runs `tributary payment …`, and kills it once `isDue`. Returns whether it came to that. */
  async function runAndKill(args: readonly string[], isDue: () => boolean): Promise<boolean> {
    const env = { ...process.env, DATA_DIR: dataDir };
    const child = spawn(process.execPath, [MAIN, 'payment', ...args], { env, stdio: 'ignore' });
    const ended = once(child, 'exit');
    while (child.exitCode === null && !isDue()) await sleep(5);
    child.kill('SIGKILL');
    const [, signal] = await ended;
    return signal === 'SIGKILL';
  }

  it('goes on with the same file until all is there, and so does its undo: to the cent', async () => {
    const words = ['import', file, '--site', 'tea.example'];
    for (const share of [0.1, 0.4, 0.7]) {
      assert.ok(await runAndKill(words, () => sum().payments > share * PAYMENTS), `${share}`);
      const { payments, paid } = sum();
      assert.ok(payments < PAYMENTS);
      assert.equal(paid, 1_000 * payments + (payments * (payments + 1)) / 2, 'the first lines');
    }
    const [interrupted] = await runCli<{ state: string }[]>(['payment', 'imports'], dataDir);
    assert.equal(interrupted?.state, 'interrupted');
    const { id } = await runCli<{ id: string }>(['payment', ...words], dataDir);
    assert.deepEqual(sum(), WHOLE);
    assert.ok(await runAndKill(['undo-import', id], () => sum().payments < PAYMENTS));
    assert.ok(sum().payments > 0);
    await runCli(['payment', 'undo-import', id], dataDir);
    assert.deepEqual(sum(), EMPTY);
    await runCli(['payment', ...words], dataDir);
    assert.deepEqual(sum(), WHOLE);
  });
});
