import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { withWarehouse } from '#processes/with-warehouse.ts';
import { parseSettings } from '#settings.ts';
import type { Warehouse } from '#warehouse/client/client.ts';
import { countBrokenParts } from './count-broken-parts.ts';

describe('the check of every file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-parts-'));
  const settings = parseSettings({ DATA_DIR: folder });
  assert.ok(settings.ok);
  after(() => rmSync(folder, { recursive: true }));

  it('reports the broken parts of all partitions together', async () => {
    await withWarehouse(settings.value, async (warehouse) => {
      await warehouse.command({
        sql: `INSERT INTO events (site_id, occurred_at, type, visitor_id)
          SELECT 's', addMonths(toDateTime64('2025-01-15', 3, 'UTC'), number), 'pageview', 'v' FROM numbers(3)`,
      });
      for (const month of ['202501', '202503']) await damage(warehouse, month);
      const counts = await countBrokenParts(warehouse);
      assert.deepEqual(
        counts.map(({ what, found }) => [what, found]),
        [['broken parts of events', '2']],
      );
    });
  });

  it('waits for no write', async () => {
    await withWarehouse(settings.value, async (warehouse) => {
      // A minute of work: it is broken off when the engine ends.
      const sql = `INSERT INTO persons (key)
        SELECT toString(sleepEachRow(0.1)) FROM numbers(600) SETTINGS max_block_size = 1`;
      const writing = warehouse.command({ sql }).catch(() => {});
      const first = await Promise.race([
        countBrokenParts(warehouse).then(() => 'checked'),
        writing.then(() => 'written'),
      ]);
      assert.equal(first, 'checked');
    });
  });

  async function damage(warehouse: Warehouse, month: string): Promise<void> {
    const [part] = await warehouse.select<{ path: string }>({
      sql: `SELECT path FROM system.parts WHERE active AND table = 'events' AND partition = '${month}'`,
    });
    const file = join(part?.path ?? '', 'data.bin');
    const bytes = readFileSync(file);
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
    writeFileSync(file, bytes);
  }
});
