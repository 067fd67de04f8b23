import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { withWarehouse } from '#processes/with-warehouse.ts';
import { parseSettings } from '#settings.ts';
import type { Warehouse } from '#warehouse/client/client.ts';
import { addCaller } from '../../server/caller.ts';
import { MAIN } from '../../server/program.ts';
import { makeDataDir, startServer } from '../../server/start-server.ts';
import { verifyData } from '../../server/verify-data.ts';
import { waitUntil } from '../../server/wait-until.ts';

/** A compressed block's checksum, and the byte for its compression method. */
const BLOCK_PREFIX_BYTES = 17;

type Count = { what: string; expected: string; found: string };

describe('verify, of a warehouse that is damaged', () => {
  const dataDir = makeDataDir();
  const settings = parseSettings({ DATA_DIR: dataDir });
  assert.ok(settings.ok);
  const work = <T>(ask: (warehouse: Warehouse) => Promise<T>) => withWarehouse(settings.value, ask);

  before(async () => {
    const server = await startServer({ dataDir });
    const caller = await addCaller(server.url, dataDir, 'example.com');
    for (const visitor of ['ada', 'bob', 'eve']) {
      await caller.pageview(visitor);
      const { status } = await caller.payment({
        ...{ transaction_id: `t-${visitor}`, amount: 10, currency: 'USD' },
        ...{ service_visitor_id: visitor, customer_id: 'c-1' },
      });
      assert.equal(status, 200);
    }
    const countPersons = () =>
      work((warehouse) => warehouse.select({ sql: 'SELECT 1 FROM persons FINAL' }));
    await waitUntil(countPersons, (rows) => rows.length === 2);
    assert.equal(await server.stop(), 0);
  });
  after(() => rmSync(dataDir, { recursive: true }));

  function verify(): Promise<{ code: number; said: string; counts: Count[]; differing: Count[] }> {
    const env = { ...process.env, DATA_DIR: dataDir };
    return new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        [MAIN, 'verify', '--json'],
        { env },
        (_, out, said) => {
          const answer = out === '' ? { counts: [], differences: [] } : JSON.parse(out);
          const { counts, differences: differing } = answer;
          resolve({ code: child.exitCode ?? -1, said, counts, differing });
        },
      );
    });
  }

  /** The command's findings when the warehouse is changed; then checks that it is restored. */
  async function differingAfter(change: string, back: string): Promise<readonly Count[]> {
    const alter = (sql: string) => (warehouse: Warehouse) =>
      warehouse.command({ sql: `ALTER TABLE ${sql} SETTINGS mutations_sync = 2` });
    const { differences } = await verifyData(dataDir, { tamper: alter(change) });
    assert.ok((await verifyData(dataDir, { tamper: alter(back) })).verified);
    return differences;
  }

  /** Flips a bit in the last byte of the part's first column, as a disk might. */
  async function flip(table: string): Promise<void> {
    const [part] = await work((warehouse) =>
      warehouse.select<{ path: string }>({
        sql: `SELECT path FROM system.parts WHERE active AND database = currentDatabase()
          AND table = '${table}' ORDER BY rows DESC LIMIT 1`,
      }),
    );
    const file = join(part?.path ?? '', 'data.bin');
    const bytes = readFileSync(file);
    const last = 16 + bytes.readUInt32LE(BLOCK_PREFIX_BYTES) - 1;
    bytes.writeUInt8(bytes.readUInt8(last) ^ 1, last);
    writeFileSync(file, bytes);
  }

  it('differs by nothing before', async () => {
    const { code, counts, differing } = await verify();
    assert.deepEqual({ code, differing }, { code: 0, differing: [] });
    const persons = counts.filter(({ what }) => what.includes('of persons'));
    assert.deepEqual(
      persons.map(({ what, found }) => [what, found]),
      [['visitors and transactions of persons', '2']],
    );
  });

  it('reports a visitor who is another person’s', async () => {
    const differing = await differingAfter(
      "persons UPDATE person_id = 'bob' WHERE key = 'eve'",
      "persons UPDATE person_id = 'ada' WHERE key = 'eve'",
    );
    assert.deepEqual(
      differing.map(({ what }) => what),
      ['visitors and transactions of persons, sum of their hashes'],
    );
  });

  it('reports visits that were engaged for longer than their events', async () => {
    const differing = await differingAfter(
      'visits UPDATE engagement_ms = engagement_ms + 1 WHERE 1',
      'visits UPDATE engagement_ms = engagement_ms - 1 WHERE 1',
    );
    assert.deepEqual(
      differing.map(({ what, expected, found }) => [what, expected, found]),
      [['engagement of visits in milliseconds', '0', '3']],
    );
  });

  it('reports flipped bits of every table, whether or not its rows can be read', async () => {
    const broken = [];
    for (const table of ['persons', 'payments']) {
      await flip(table);
      broken.push(`broken parts of ${table}`);
      const { code, said, differing } = await verify();
      const named = differing.map(({ what }) => what).toSorted();
      assert.deepEqual({ code, said, named }, { code: 1, said: '', named: broken.toSorted() });
    }
  });
});
