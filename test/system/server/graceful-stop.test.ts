import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeDataDir, startServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';
import { startWarehouseDoor, type WarehouseDoor } from '../../server/warehouse-door.ts';
import { type RunningLoad, startLoad } from '../../torture/load.ts';
import { createOracle, type Oracle } from '../../torture/oracle.ts';
import { recount, untilShipped } from '../../torture/recount.ts';
import { createChecks } from '../../torture/row.ts';
import { startTortureServer, type TortureServer } from '../../torture/torture-server.ts';

/** The promised maximum for the whole stop. */
const STOP_MAX_MS = 60_000;
/** A slower stop, on a busy machine, ships the rest after the next start. */
const SHIPPING_MAX_MS = 5_000;
const LOAD_MS = 600;

describe('a server that is told to end under load', () => {
  let dataDir: string;
  let oracle: Oracle;
  let server: TortureServer | undefined;
  let door: WarehouseDoor | undefined;

  beforeEach(() => {
    dataDir = makeDataDir();
    oracle = createOracle();
  });
  afterEach(async () => {
    await server?.stop();
    server?.cleanUp();
    await door?.stop();
    [server, door] = [undefined, undefined];
    rmSync(dataDir, { recursive: true, force: true });
  });

  /** A load of which some is acknowledged. */
  async function loadOf(on: TortureServer): Promise<RunningLoad> {
    const load = startLoad({
      server: on,
      oracle,
      seed: 7,
      stream: 0,
      senders: 6,
      batch: 40,
      goals: 20,
      payments: 20,
    });
    await sleep(LOAD_MS);
    await waitUntil(
      async () => oracle.events,
      (events) => events > 0,
    );
    return load;
  }

  /** Stops it and returns how long that took. */
  async function stop(t: { diagnostic(message: string): void }): Promise<number> {
    const from = performance.now();
    const code = await server?.stop();
    const tookMs = Math.round(performance.now() - from);
    t.diagnostic(`stopped in ${tookMs} ms`);
    assert.equal(code, 0);
    assert.ok(tookMs < STOP_MAX_MS, `${tookMs} ms`);
    return tookMs;
  }

  /** Restarts it, lets the senders finish, and counts everything. */
  async function assertAllThere(load: RunningLoad): Promise<void> {
    assert.ok(server !== undefined);
    await server.startAgain();
    await load.end();
    await untilShipped(server);
    const checks = createChecks();
    const found = await recount(server, oracle, checks);
    assert.ok(Number(found['events acknowledged']) > 0);
    assert.deepEqual(
      checks.all.filter(({ failure }) => failure !== undefined),
      [],
    );
  }

  it('keeps what a warehouse that is away cannot take, and ships it after the next start', async (t) => {
    door = await startWarehouseDoor(dataDir);
    server = await startTortureServer({ dataDir, env: { CLICKHOUSE_URL: door.url } });
    const load = await loadOf(server);
    door.shut();
    await sleep(LOAD_MS);
    await stop(t);
    assert.ok(countWaiting(dataDir) > 0);
    door.open();
    await assertAllThere(load);
  });

  it('does not wait for a warehouse that is silent', async (t) => {
    door = await startWarehouseDoor(dataDir);
    server = await startTortureServer({ dataDir, env: { CLICKHOUSE_URL: door.url } });
    const load = await loadOf(server);
    process.kill(door.enginePid, 'SIGSTOP');
    await sleep(LOAD_MS);
    await stop(t);
    assertNoLogs(dataDir);
    process.kill(door.enginePid, 'SIGCONT');
    await assertAllThere(load);
  });

  it('ends within 10 s, has nothing left to ship and loses nothing, beside slow clients and told again', async (t) => {
    server = await startTortureServer({ dataDir });
    const load = await loadOf(server);
    const slow = [
      'POST /api/v1/goals HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n{',
      'GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n',
      'GET /',
      '',
    ].map((text) => {
      const socket = connect({ port: server?.port ?? 0, host: '127.0.0.1' }, () =>
        socket.write(text),
      );
      return socket.on('error', () => {});
    });
    await sleep(LOAD_MS);
    const again = (async () => {
      for (const signal of ['SIGTERM', 'SIGINT', 'SIGTERM'] as const) {
        await sleep(20);
        server?.signal('supervisor', signal);
      }
    })();
    const tookMs = await stop(t);
    await again;
    for (const socket of slow) socket.destroy();
    assertNoLogs(dataDir);
    if (tookMs < SHIPPING_MAX_MS) assert.equal(countWaiting(dataDir), 0);
    await assertAllThere(load);
  });
});

/** Batches and rows of journals and outbox not shipped, or in flight. */
function countWaiting(dataDir: string): number {
  const journals = readdirSync(join(dataDir, 'journal')).filter((name) => name.endsWith('.db'));
  const counts = journals.map((name) =>
    readNumber(
      join(dataDir, 'journal', name),
      'SELECT (SELECT count(*) FROM batches) + (SELECT count(*) FROM shipment) AS n',
    ),
  );
  const ledger = readNumber(
    join(dataDir, 'ledger.db'),
    `SELECT (SELECT count(*) FROM batches) + (SELECT count(*) FROM shipment)
      + (SELECT value FROM counters WHERE name = 'payments')
      - (SELECT value FROM counters WHERE name = 'shipped_payments') AS n`,
  );
  return counts.reduce((sum, count) => sum + count, ledger);
}

/** A cleanly closed database has no log for the next opener to replay. */
function assertNoLogs(dataDir: string): void {
  const files = [dataDir, join(dataDir, 'journal')].flatMap((folder) => readdirSync(folder));
  assert.deepEqual(
    files.filter((name) => name.endsWith('-wal')),
    [],
  );
}

function readNumber(path: string, sql: string): number {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    return Number(db.prepare(sql).get()?.n);
  } finally {
    db.close();
  }
}

it('a server whose processes are all told to end reports no crash', async () => {
  const server = await startServer();
  try {
    for (const pid of server.pids()) process.kill(pid, 'SIGTERM');
    assert.equal(await server.stop(), 0);
    assert.doesNotMatch(server.said(), /unexpectedly/);
  } finally {
    server.cleanUp();
  }
});
