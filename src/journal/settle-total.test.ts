import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openDatabase } from '#ledger/open-database.ts';
import { openErasures } from '#ledger/open-erasures.ts';
import { openLedger } from '#ledger/open-ledger.ts';
import { withWarehouse } from '#processes/with-warehouse.ts';
import { parseSettings } from '#settings.ts';
import { readJournalCounts } from '#storage/queue-counts.ts';
import { toBatchId } from '#storage/shipment-token.ts';
import type { Warehouse } from '#warehouse/client.ts';
import { openJournalFile } from './journal-file.ts';
import { settleTotal } from './settle-total.ts';

const JOURNAL = 1;
const VISITORS = 5;

describe('the total of a journal that was lost', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-total-'));
  const ledgerPath = join(folder, 'erasing.db');
  const settings = parseSettings({ DATA_DIR: folder });
  assert.ok(settings.ok);
  const work = (ask: (warehouse: Warehouse) => Promise<void>) => withWarehouse(settings.value, ask);

  before(async () => {
    await work((warehouse) =>
      warehouse.command({
        sql: `INSERT INTO events (site_id, occurred_at, type, visitor_id, batch_id)
          SELECT 's', fromUnixTimestamp64Milli(1763700000000, 'UTC'), 'pageview', toString(number),
            ${toBatchId(JOURNAL, 1)} FROM numbers(${VISITORS})`,
      }),
    );
    openLedger({ path: ledgerPath }).close();
    beginErasure('0');
  });
  after(() => rmSync(folder, { recursive: true }));

  function beginErasure(visitor: string): void {
    const db = openDatabase(ledgerPath, { checkpoints: false });
    db.exec("INSERT INTO erasures VALUES ('e', 's', 'waiting', '{}', '{}', 0, NULL)");
    db.close();
    const erasures = openErasures(ledgerPath);
    const erasure = erasures.findNext();
    assert.ok(erasure);
    const none = { users: [], customers: [], emails: [], transactions: [] };
    const begun = { subject: { ...none, visitors: [visitor] }, batchIds: [], until: Date.now() };
    erasures.begin(erasure, begun, new Map([[JOURNAL, 1]]));
    erasures.close();
  }

  async function settle(name: string, warehouse: Warehouse): Promise<number> {
    const path = join(folder, name, '1.db');
    const file = openJournalFile(path, () => {}, true);
    assert.ok(file.findLostTotal());
    await settleTotal({ file, number: JOURNAL }, warehouse, ledgerPath);
    file.close();
    return readJournalCounts(path).shipped;
  }

  it('counts an event once that an erasure under way has not taken out, and one that it has', () =>
    work(async (warehouse) => {
      assert.equal(await settle('before', warehouse), VISITORS);
      const sql = "ALTER TABLE events DELETE WHERE visitor_id = '0' SETTINGS mutations_sync = 2";
      await warehouse.command({ sql });
      assert.equal(await settle('after', warehouse), VISITORS);
    }));
});
