import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { listArchive } from '#journal/archive/read-archive.ts';
import { openDatabase } from '#ledger/schema/open-database.ts';
import { dataPathsOf } from '#processes/paths.ts';
import type { Warehouse } from '#warehouse/client/client.ts';
import { countArchivedEvents } from '../../../src/cli/verify/count-archived-events.ts';
import { addCaller } from '../../server/caller.ts';
import { runCli, startServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';
import { ALTER_NOW, copyShopForEach, MONDAY, TUESDAY, toDay } from './stopped-shop.ts';

describe('the command verify', () => {
  const copied = copyShopForEach();

  it('reports the day of a payment whose amount was changed, and of one at another time', async () => {
    const name = 'payments of example.com in USD';
    const differing = (change: string) =>
      copied.shop.differing(/./, (warehouse) =>
        warehouse.command({ sql: `ALTER TABLE payments UPDATE ${change} ${ALTER_NOW}` }),
      );
    assert.deepEqual(await differing("amount_minor = 3000 WHERE transaction_id = 't-1'"), [
      `${name}, sum in minor units: 3999, 4000`,
      `${name}, sum in minor units, on ${toDay(MONDAY)}: 2999, 3000`,
    ]);
    const moved = `amount_minor = 2999, occurred_at = '${toDay(TUESDAY)} 12:00:00'`;
    assert.deepEqual(await differing(`${moved} WHERE transaction_id = 't-1'`), [
      `${name}, on ${toDay(MONDAY)}: 1, 0`,
      `${name}, sum in minor units, on ${toDay(MONDAY)}: 2999, 0`,
      `${name}, on ${toDay(TUESDAY)}: 1, 2`,
      `${name}, sum in minor units, on ${toDay(TUESDAY)}: 1000, 3999`,
      `${name}, converted to USD, sum in minor units, on ${toDay(MONDAY)}: 2999, 0`,
      `${name}, converted to USD, sum in minor units, on ${toDay(TUESDAY)}: 1000, 3999`,
    ]);
  });

  it('expects an erased person nowhere, and tells when an old archive brings them back', async () => {
    await runCli(['visitor', 'delete', 'ben', '--site', 'example.com'], copied.shop.dataDir);
    assert.deepEqual((await copied.shop.verify()).differences, []);
    const archive = join(copied.shop.dataDir, 'archive');
    rmSync(archive, { recursive: true });
    cpSync(join(copied.whole, 'archive'), archive, { recursive: true });
    assert.deepEqual(await copied.shop.differing(/./), [
      'pageview events of example.com in the archive: 4, 3',
      `pageview events of example.com in the archive, on ${toDay(MONDAY)}: 3, 2`,
    ]);
  });

  it('leaves a site aside while somebody is erased, and no other', async () => {
    await copied.shop.tamper((warehouse) =>
      warehouse.command({ sql: `ALTER TABLE events DELETE WHERE 1 ${ALTER_NOW}` }),
    );
    const db = await openDatabase(dataPathsOf(copied.shop.dataDir).ledger, { checkpoints: false });
    await db.exec(`
      INSERT INTO erasures (id, site_id, state, subject, requested_at)
      SELECT 'erasure_1', id, 'running', '{}', 0 FROM sites WHERE domain = 'example.com'`);
    await db.close();
    assert.deepEqual(await copied.shop.differing(/in the archive/), [
      'pageview events of other.example in the archive: 1, 0',
      `pageview events of other.example in the archive, on ${toDay(MONDAY)}: 1, 0`,
    ]);
    const { stdout } = await copied.shop.run([]);
    assert.match(stdout, /^events of example\.com by day, while .* not compared +ok$/m);
  });

  it('finds nothing beside a server that ships more between two looks', async () => {
    const server = await startServer({ dataDir: copied.shop.dataDir });
    try {
      const caller = await addCaller(server.url, copied.shop.dataDir, 'busy.example');
      const shipMore = async () => {
        const before = archiveBytes();
        assert.equal((await caller.pageview('eve')).status, 200);
        assert.equal((await caller.goal('eve', 'seen', randomUUID())).status, 200);
        await waitUntil(
          async () => archiveBytes(),
          (bytes) => bytes > before,
        );
      };
      await shipMore();
      await copied.shop.tamper(async (warehouse, { isServing }) => {
        const slow: Warehouse = {
          ...warehouse,
          select: <Row>(...asked: Parameters<Warehouse['select']>) =>
            warehouse.select<Row>(...asked).finally(shipMore),
        };
        const paths = dataPathsOf(copied.shop.dataDir);
        const options = { isServing, archiveDays: undefined };
        const counts = await countArchivedEvents(paths, slow, options);
        assert.deepEqual(
          counts.filter(({ agrees }) => !agrees),
          [],
        );
        assert.ok(counts.some(({ what }) => what.includes('events of busy.example')));
      });
    } finally {
      await server.stop();
    }
  });

  function archiveBytes(): number {
    const files = listArchive(join(copied.shop.dataDir, 'archive'));
    return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  }
});
