import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { withWarehouse } from '#processes/with-warehouse.ts';
import { parseSettings } from '#settings.ts';
import { RefusedQuestionError } from '#warehouse/refused-question.ts';
import { countViews } from './count-views.ts';
import { RECOUNT_LIMITS } from './recount-limits.ts';

const VISITS = 1_000_000;
const VISITORS = 750_000;

describe('the recount of visits and visitors', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-views-'));
  const settings = parseSettings({ DATA_DIR: folder });
  assert.ok(settings.ok);
  before(() =>
    withWarehouse(settings.value, (warehouse) =>
      warehouse.command({
        sql: `INSERT INTO events
            (site_id, occurred_at, type, visitor_id, visit_id, visit_started_at, engagement_ms)
          SELECT 's', fromUnixTimestamp64Milli(1763700000000 + number, 'UTC') AS at, 'pageview',
            toString(number % ${VISITORS}), reinterpret(toUInt128(number + 1), 'UUID'), at, 2
          FROM numbers(${VISITS})`,
      }),
    ),
  );
  after(() => rmSync(folder, { recursive: true }));

  it('is whole where one question has no memory for all of them', async () => {
    const limits = { ...RECOUNT_LIMITS, memoryBytes: 40_000_000, threadsMax: 1 };
    const counts = await withWarehouse(settings.value, async (warehouse) => {
      const sql =
        'SELECT uniqExact(sipHash64(visit_id)), uniqExact(sipHash64(visitor_id)) FROM events';
      await assert.rejects(warehouse.select({ sql }, limits), RefusedQuestionError);
      return countViews(warehouse, limits);
    });
    assert.deepEqual(
      counts.map(({ expected, found }) => [expected, found]),
      [VISITS, VISITS, VISITS, 0, 2 * VISITS, VISITORS, VISITS].map((n) => [`${n}`, `${n}`]),
    );
  });
});
