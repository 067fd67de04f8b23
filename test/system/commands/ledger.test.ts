import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { findPostgres, type PostgresOfTests, startPostgres } from '../../run/start-postgres.ts';
import { runCli } from '../../server/start-server.ts';

/** A data directory of commit 36ccd374: a shop with six reports of payments, and a login. */
const FIXTURE = new URL('../../fixtures/data-of-36ccd374.tgz', import.meta.url).pathname;

type Copied = {
  readonly exact: boolean;
  readonly tables: readonly { table: string; from: { rows: number }; to: { rows: number } }[];
};

const isMissing = findPostgres() === undefined && process.env.TEST_DATABASE_URL === undefined;

describe('ledger copy', { skip: isMissing }, () => {
  let server: PostgresOfTests | undefined;
  let folder: string;
  before(async () => {
    server = await startPostgres({ keepsNothing: true });
    folder = mkdtempSync(join(tmpdir(), 'tributary-copy-'));
    execFileSync('tar', ['-xzf', FIXTURE, '-C', folder, '--exclude=fixture14/warehouse']);
  });
  after(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true });
  });

  const listSites = (dataDir: string) => runCli<object>(['site', 'list'], dataDir);

  it('brings ledger and logins to PostgreSQL and back, and says that nothing differs', async () => {
    const dataDir = join(folder, 'fixture14');
    const url = (await server?.makeDatabase()) ?? '';
    const back = join(folder, 'back');
    const before = await listSites(dataDir);
    for (const times of ['once', 'again']) {
      const { exact, tables } = await runCli<Copied>(['ledger', 'copy', '--to', url], dataDir);
      assert.equal(exact, true, times);
      assert.ok(tables.some(({ table, from }) => table === 'payments' && from.rows === 4));
      assert.ok(tables.some(({ table, from }) => table === '"user"' && from.rows === 1));
      for (const { table, from, to } of tables) assert.deepEqual(to, from, table);
    }
    process.env.DATABASE_URL = url;
    try {
      assert.deepEqual(await listSites(dataDir), before);
      await runCli(['site', 'add', 'new.example'], dataDir);
      await runCli(['ledger', 'copy', '--to', back], dataDir);
    } finally {
      delete process.env.DATABASE_URL;
    }
    const sites = await runCli<{ domain: string }[]>(['site', 'list'], back);
    assert.deepEqual(sites.map(({ domain }) => domain).toSorted(), ['new.example', 'shop.example']);
  });

  it('refuses to copy a ledger onto itself', async () => {
    const dataDir = join(folder, 'fixture14');
    await assert.rejects(runCli(['ledger', 'copy', '--to', dataDir], dataDir), /there already/);
  });
});
