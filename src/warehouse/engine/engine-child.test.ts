import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createWarehouse, type Warehouse } from '../client/client.ts';

const ENGINE = fileURLToPath(new URL('./engine-child.ts', import.meta.url));

/** On the busiest machine; what it must not wait for takes longer. */
const SOON_MS = 20_000;

describe('the engine’s process', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-engine-child-'));
  const socketPath = join(folder, 'run', 'e.sock');
  const engines: ChildProcess[] = [];
  let warehouse: Warehouse;
  before(() => {
    warehouse = createWarehouse({ kind: 'embedded', socketPath });
  });
  after(async () => {
    for (const engine of engines) engine.kill('SIGKILL');
    await warehouse.close();
    rmSync(folder, { recursive: true });
  });

  function start(): ChildProcess {
    const engine = fork(ENGINE, [join(folder, 'warehouse'), socketPath], {
      env: { ...process.env, UV_THREADPOOL_SIZE: '12', NODE_TEST_CONTEXT: undefined },
      execArgv: [], // Those of the test runner are not for it.
    });
    engines.push(engine);
    return engine;
  }

  it('lets a short statement end when its parent ends', async () => {
    const engine = start();
    await once(engine, 'message');
    await warehouse.command({ sql: 'CREATE TABLE slow (x UInt8) ENGINE = MergeTree ORDER BY x' });
    const asked = warehouse.select({ sql: 'SELECT sleepEachRow(0.6) FROM numbers(1)' });
    await sleep(300);
    engine.disconnect();
    const [answer] = await Promise.all([asked, once(engine, 'exit')]);
    assert.equal(answer.length, 1);
  });

  it('does not start while another engine uses the data', async () => {
    const first = start();
    await once(first, 'message');
    const second = start();
    const [code] = await once(second, 'exit');
    assert.notEqual(code, 0);
    assert.equal((await warehouse.select({ sql: 'SELECT 1' })).length, 1);
    first.kill('SIGTERM');
    await once(first, 'exit');
  });

  it('releases the files soon after its parent ends, whatever is running', async () => {
    const engine = start();
    await once(engine, 'message');
    const sql =
      'INSERT INTO slow SELECT sleepEachRow(0.5) FROM numbers(100) SETTINGS max_block_size = 1';
    const refused = assert.rejects(warehouse.command({ sql }));
    await sleep(500);
    engine.disconnect();
    await once(engine, 'exit', { signal: AbortSignal.timeout(SOON_MS) });
    await refused;
  });

  it('releases the files soon after its parent ends, whatever it is merging', async () => {
    const engine = start();
    await once(engine, 'message');
    await warehouse.command({ sql: 'INSERT INTO slow SELECT number FROM numbers(10)' });
    // The engine sleeps for no more than three seconds at a time.
    const sleeps = Array.from({ length: 10 }, (_, index) => `sleepEachRow(0.${30 - index})`);
    const sql = `ALTER TABLE slow DELETE WHERE ${sleeps.join(' + ')} = 1 SETTINGS mutations_sync = 0`;
    await warehouse.command({ sql });
    const merges = { sql: 'SELECT 1 FROM system.merges' };
    while ((await warehouse.select(merges)).length === 0) await sleep(20);
    engine.disconnect();
    await once(engine, 'exit', { signal: AbortSignal.timeout(SOON_MS) });
  });
});
