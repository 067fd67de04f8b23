import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Session } from 'chdb';
import { createPartsCheck, type PartsCheck } from './check-new-parts.ts';
import { openEngine } from './open-engine.ts';

describe('recently written parts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-parts-'));
  let engine: Session;
  let check: PartsCheck;
  before(async () => {
    const startedAt = Date.now();
    engine = await openEngine(folder);
    check = createPartsCheck(ask, startedAt);
    await ask('CREATE TABLE numbers_of (k UInt64) ENGINE = MergeTree ORDER BY k');
    for (const from of [0, 100]) {
      await ask(`INSERT INTO numbers_of SELECT number + ${from} FROM numbers(100)`);
    }
  });
  after(() => {
    engine.close();
    rmSync(folder, { recursive: true });
  });

  const ask = async (sql: string) =>
    (await engine.queryAsync(sql, { format: 'TabSeparated' })).text();

  it('are intact', async () => {
    assert.deepEqual(await check.findBroken(), []);
  });

  it('are found when a merge left a file empty, and are repaired by a restart', async () => {
    await ask('OPTIMIZE TABLE numbers_of FINAL');
    const path = (
      await ask("SELECT path FROM system.parts WHERE active AND table = 'numbers_of'")
    ).trim();
    truncateSync(join(path, 'data.cmrk4'));
    assert.deepEqual(await check.findBroken(), ['numbers_of all_1_2_1']);
    engine.close();
    await sleep(1_000); // The engine tells whole seconds.
    const startedAgainAt = Date.now();
    engine = await openEngine(folder);
    assert.equal((await ask('SELECT count(), sum(k) FROM numbers_of')).trim(), '200\t19900');
    assert.deepEqual(await createPartsCheck(ask, startedAgainAt).findBroken(), []);
  });
});
