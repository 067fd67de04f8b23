import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openExpiries } from '#ledger/erasure/open-expiries.ts';
import { openDatabase } from '#ledger/open-database.ts';
import { dataPathsOf } from '#processes/paths.ts';
import { findExpiredEvents } from '#warehouse/forget/forget-before.ts';
import { runCli } from '../../server/start-server.ts';
import { copyShopForEach, TUESDAY, toDay } from './stopped-shop.ts';

describe('retention that was broken off', () => {
  const copied = copyShopForEach();

  it('takes what it has counted before somebody is erased, who counts what is left', async () => {
    const { dataDir, tamper, verify } = copied.shop;
    const { ledger } = dataPathsOf(dataDir);
    const since = Date.parse(toDay(TUESDAY));
    await tamper(async (warehouse) => {
      const expired = { siteId: findSiteId(ledger), since, until: Date.now() };
      const { batchIds, rowsByJournal } = await findExpiredEvents(warehouse, expired);
      const expiries = openExpiries(ledger, Date.now);
      expiries.begin({ ...expired, batchIds }, rowsByJournal);
      expiries.close();
    });
    const { erasure } = await runCli<{ erasure: { counts: Record<string, number> } }>(
      ['visitor', 'delete', 'ada', '--site', 'example.com'],
      dataDir,
    );
    assert.equal(erasure.counts.events, 2, 'a pageview on Tuesday, and a goal');
    assert.deepEqual((await verify()).differences, []);
  });
});

function findSiteId(ledger: string): string {
  const db = openDatabase(ledger, { checkpoints: false });
  const row = db.prepare("SELECT id FROM sites WHERE domain = 'example.com'").get();
  db.close();
  return String(row?.id);
}
