import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '#ledger/schema/open-database.ts';

const REPORTER = fileURLToPath(new URL('./report-payments.ts', import.meta.url));
const ACKNOWLEDGED_MIN = 300;

/** The ids acknowledged before the reporting process was killed. */
async function acknowledgedUntilKilled(path: string): Promise<string[]> {
  const child = spawn(process.execPath, [REPORTER, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const acknowledged: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged.push(line);
    if (acknowledged.length === ACKNOWLEDGED_MIN) child.kill('SIGKILL');
  }
  await exited;
  return acknowledged;
}

describe('a ledger whose process is killed', () => {
  it('holds every payment that was acknowledged, once, and opens again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tributary-killed-'));
    const path = join(folder, 'ledger.db');
    for (let kill = 0; kill < 3; kill++) {
      const acknowledged = await acknowledgedUntilKilled(path);
      const db = await openDatabase(path, { checkpoints: false });
      const found = await db.all('SELECT transaction_id AS id FROM payments');
      await db.close();
      const ids = new Set(found.map((row) => String(row.id)));
      assert.equal(ids.size, found.length);
      assert.ok(acknowledged.length >= ACKNOWLEDGED_MIN);
      assert.deepEqual(
        acknowledged.filter((id) => !ids.has(id)),
        [],
      );
    }
    rmSync(folder, { recursive: true });
  });
});
