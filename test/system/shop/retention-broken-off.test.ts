import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openErasures } from '#ledger/erasure/open-erasures.ts';
import { openDatabase } from '#ledger/open-database.ts';
import { dataPathsOf } from '#processes/paths.ts';
import { type Counting, forget } from '#warehouse/forget/forget.ts';
import { runCli } from '../../server/start-server.ts';
import { copyShopForEach, TUESDAY, toDay } from './stopped-shop.ts';

describe('retention that was broken off', () => {
  const copied = copyShopForEach();

  it('takes what it has counted before somebody is erased, who counts what is left', async () => {
    const { dataDir, tamper, verify } = copied.shop;
    const { ledger } = dataPathsOf(dataDir);
    const before = Date.parse(toDay(TUESDAY));
    await tamper(async (warehouse) => {
      const siteId = findSiteId(ledger);
      requestExpiry(ledger, siteId, before);
      const erasures = openErasures(ledger, Date.now);
      const counting: Counting = {
        counted: [],
        note(held) {
          erasures.addCounted('retention', held);
          throw new Error('broken off');
        },
        alone: (work) => work(),
      };
      await assert.rejects(forget(warehouse, { siteId, before }, counting), /broken off/);
      erasures.close();
    });
    const { erasure } = await runCli<{ erasure: { counts: Record<string, number> } }>(
      ['visitor', 'delete', 'ada', '--site', 'example.com'],
      dataDir,
    );
    assert.equal(erasure.counts.events, 2, 'a pageview on Tuesday, and a goal');
    assert.deepEqual((await verify()).differences, []);
  });
});

function requestExpiry(ledger: string, siteId: string, before: number): void {
  const db = openDatabase(ledger, { checkpoints: false });
  db.prepare(`
    INSERT INTO erasures (id, site_id, state, subject, requested_at, before)
    VALUES ('retention', ?, 'waiting', '{}', 0, ?)`).run(siteId, before);
  db.close();
}

function findSiteId(ledger: string): string {
  const db = openDatabase(ledger, { checkpoints: false });
  const row = db.prepare("SELECT id FROM sites WHERE domain = 'example.com'").get();
  db.close();
  return String(row?.id);
}
