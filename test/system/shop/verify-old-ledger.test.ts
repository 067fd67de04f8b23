import assert from 'node:assert/strict';
import { copyFileSync, globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createKey } from '../../server/add-site.ts';
import { callerOf } from '../../server/caller.ts';
import { startServer } from '../../server/start-server.ts';
import { copyShopForEach } from './stopped-shop.ts';

const UNKNOWN = /does not know/;

describe('the command verify, where the ledger is not the one that the warehouse knew', () => {
  const copied = copyShopForEach();

  it('reports the payments since the backup that it came back from', async () => {
    const { dataDir, differing } = copied.shop;
    const ledger = join(dataDir, 'ledger.db');
    const token = await createKey(dataDir, 'example.com');
    copyFileSync(ledger, `${ledger}.backup`);
    const server = await startServer({ dataDir });
    const caller = callerOf(server.url, 'example.com', token);
    for (const transaction_id of ['t-8', 't-9']) {
      const paid = await caller.payment({ transaction_id, amount: 100, currency: 'USD' });
      assert.equal(paid.status, 200);
    }
    await server.stop();
    assert.deepEqual(await differing(UNKNOWN), []);
    copyFileSync(`${ledger}.backup`, ledger);
    assert.deepEqual(await differing(UNKNOWN), ['payments that the ledger does not know: 0, 2']);
  });

  it('reports all payments when the ledger is gone', async () => {
    const { dataDir, differing } = copied.shop;
    for (const name of globSync('ledger.db*', { cwd: dataDir })) rmSync(join(dataDir, name));
    assert.deepEqual(await differing(UNKNOWN), ['payments that the ledger does not know: 0, 2']);
  });
});
