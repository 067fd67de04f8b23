import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { RefusedQueryError } from '#domain/refused-query.ts';
import { createEngineServer, type EngineServer } from '../engine/engine-server.ts';
import { openEngine } from '../engine/open-engine.ts';
import { createWarehouse, type Warehouse } from './client.ts';
import { EMBEDDED_DATABASE } from './embedded-database.ts';
import { shareEngineMemory } from './engine-memory.ts';
import { WarehouseUnavailableError } from './warehouse-unavailable.ts';

const MB = 1_000_000;
/** Fits into files where it does not into memory. */
const grouped = {
  sql: `SELECT count() AS n FROM (
    SELECT number AS k, groupArray(number) AS found FROM numbers(500000) GROUP BY k)`,
};
/** Needs 800 MB whatever is done. */
const hoarded = { sql: 'SELECT length(groupArray(number)) AS n FROM numbers(100000000)' };

describe('the engine’s memory', () => {
  it('is divided so that queries leave room for writes and for concurrent queries', () => {
    assert.deepEqual(shareEngineMemory(1_060 * MB), {
      ...{ statementsBytes: 800 * MB, queriesBytes: 480 * MB, queryBytes: 160 * MB },
    });
    const { queriesBytes, queryBytes } = shareEngineMemory(64_000 * MB);
    assert.deepEqual({ queriesBytes, queryBytes }, { queriesBytes: 2e9, queryBytes: 666_666_666 });
  });
});

describe('an engine with little memory', () => {
  const LIMIT = 700 * MB;
  const folder = mkdtempSync(join(tmpdir(), 'tributary-memory-'));
  const socketPath = join(folder, 'run', 'e.sock');
  let engine: ChildProcess;
  let warehouse: Warehouse;
  before(async () => {
    const main = fileURLToPath(new URL('../engine/engine-child.ts', import.meta.url));
    engine = fork(main, [join(folder, 'warehouse'), socketPath, String(LIMIT)], {
      env: { ...process.env, UV_THREADPOOL_SIZE: '12', NODE_TEST_CONTEXT: undefined },
      execArgv: [], // Those of the test runner are not for it.
    });
    await once(engine, 'message');
    warehouse = createWarehouse({ kind: 'embedded', socketPath, engineMemoryBytes: LIMIT });
    await warehouse.command({ sql: 'CREATE TABLE n (x UInt64) ENGINE = MergeTree ORDER BY x' });
  });
  after(async () => {
    await warehouse.close();
    engine.kill('SIGTERM');
    await once(engine, 'exit');
    rmSync(folder, { recursive: true });
  });

  it('stops a query that takes longer than any may, unless that states a limit of its own', async () => {
    const hasty = createWarehouse({ kind: 'embedded', socketPath, queryMaxMs: 1_000 });
    const slow = { sql: 'SELECT sum(sleepEachRow(0.1)) FROM numbers(20)' };
    await assert.rejects(hasty.select(slow), { name: 'RefusedQueryError', reason: 'duration' });
    assert.equal((await hasty.select(slow, { durationMs: 60_000 })).length, 1);
    await hasty.close();
  });

  it('stays within its limit under six heavy queries, and refuses those that exceed theirs', async (t) => {
    const limits = { isReport: true, durationMs: 55_000 };
    const asked = Array.from({ length: 6 }, (_, index) =>
      warehouse.select(index === 0 ? grouped : hoarded, limits),
    );
    const inserted = warehouse.insertLines('n', Buffer.from('{"x":1}\n{"x":2}\n'));
    const [first, ...others] = await Promise.allSettled(asked);
    assert.equal(first?.status, 'fulfilled');
    for (const other of others) {
      assert.ok(other.status === 'rejected' && other.reason instanceof RefusedQueryError);
      assert.equal(other.reason.reason, 'memory');
    }
    await inserted;
    assert.deepEqual(await warehouse.select({ sql: 'SELECT sum(x) AS n FROM n' }), [{ n: '3' }]);
    assert.equal(engine.exitCode ?? engine.signalCode, null);
    t.diagnostic(`${Math.round(peakOf(engine) / MB)} MB of ${LIMIT / MB}`);
    assert.ok(peakOf(engine) <= LIMIT, `${peakOf(engine) / MB} MB of ${LIMIT / MB}`);
  });

  it('reports a lack of memory as transient', async () => {
    await assert.rejects(warehouse.select(hoarded, { memoryBytes: 0 }), WarehouseUnavailableError);
    assert.equal(engine.exitCode ?? engine.signalCode, null);
  });
});

/** The most that a process has held of the machine's memory. */
function peakOf({ pid }: ChildProcess): number {
  const [, kb] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kb) * 1_024;
}

describe('a remote server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-memory-'));
  const sessions: Awaited<ReturnType<typeof openEngine>>[] = [];
  let engineServer: EngineServer;
  let warehouse: Warehouse;
  before(async () => {
    // Without limits of its own: those of the statements have to do.
    for (let one = 0; one < 3; one += 1) sessions.push(await openEngine(join(folder, 'warehouse')));
    const [first] = sessions;
    assert.ok(first !== undefined);
    engineServer = createEngineServer(
      { writes: [first], lookups: [first], queries: sessions },
      first,
      {
        folder,
      },
    );
    await new Promise<void>((resolve) => engineServer.http.listen(0, '127.0.0.1', resolve));
    const { port } = engineServer.http.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/${EMBEDDED_DATABASE}`;
    warehouse = createWarehouse({ kind: 'remote', url, engineMemoryBytes: 660 * MB });
  });
  after(async () => {
    await warehouse.close();
    await engineServer.drain();
    for (const session of sessions) session.close();
    rmSync(folder, { recursive: true });
  });

  it('gets the memory limit of all our statements with each statement', async () => {
    const asked = Array.from({ length: 3 }, () =>
      warehouse.selectFile({ sql: 'SELECT groupArray(number) FROM numbers(20000000)' }, 'Parquet', {
        ...{ isReport: true, memoryBytes: 230 * MB },
      }),
    );
    const refused = (await Promise.allSettled(asked)).filter((each) => each.status === 'rejected');
    assert.ok(
      refused.some(({ reason }) => reason instanceof WarehouseUnavailableError),
      refused.map(({ reason }) => String(reason.cause)).join('\n'),
    );
  });
});
