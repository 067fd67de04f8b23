import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openDatabase } from '#ledger/schema/open-database.ts';
import { dataPathsOf } from '#processes/paths.ts';
import { type Counting, forget } from '#warehouse/forget/forget.ts';
import { openErasures } from '../../ledger/ledger-of-test.ts';
import { runCli } from '../../server/start-server.ts';
import { copyShopForEach, TUESDAY, toDay } from './stopped-shop.ts';

describe('retention that was broken off', () => {
  const copied = copyShopForEach();

  it('takes what it has counted before somebody is erased, who counts what is left', async () => {
    const { dataDir, tamper, verify } = copied.shop;
    const { ledger } = dataPathsOf(dataDir);
    const before = Date.parse(toDay(TUESDAY));
    await tamper(async (warehouse) => {
      const siteId = await findSiteId(ledger);
      await requestExpiry(ledger, siteId, before);
      const erasures = await openErasures(ledger, Date.now);
      const counting: Counting = {
        counted: [],
        async note(held) {
          await erasures.addCounted('retention', held);
          throw new Error('broken off');
        },
        alone: (work) => work(),
      };
      await assert.rejects(forget(warehouse, { siteId, before }, counting), /broken off/);
      await erasures.close();
    });
    const { erasure } = await runCli<{ erasure: { counts: Record<string, number> } }>(
      ['visitor', 'delete', 'ada', '--site', 'example.com'],
      dataDir,
    );
    assert.equal(erasure.counts.events, 2, 'a pageview on Tuesday, and a goal');
    assert.deepEqual((await verify()).differences, []);
  });
});

async function requestExpiry(ledger: string, siteId: string, before: number): Promise<void> {
  const db = await openDatabase(ledger, { checkpoints: false });
  await db.run(
    `INSERT INTO erasures (id, site_id, state, subject, requested_at, before)
     VALUES ('retention', ?, 'waiting', '{}', 0, ?)`,
    ...[siteId, before],
  );
  await db.close();
}

async function findSiteId(ledger: string): Promise<string> {
  const db = await openDatabase(ledger, { checkpoints: false });
  const row = await db.get("SELECT id FROM sites WHERE domain = 'example.com'");
  await db.close();
  return String(row?.id);
}
