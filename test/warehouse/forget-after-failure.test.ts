import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventRow } from '#contract/rows/event-row.ts';
import type { Statement, Warehouse } from '#warehouse/client/client.ts';
import type { QueryLimits } from '#warehouse/client/query-limits.ts';
import { WarehouseUnavailableError } from '#warehouse/client/warehouse-unavailable.ts';
import { type Counting, forget } from '#warehouse/forget/forget.ts';
import { openWorldWarehouse, type WorldWarehouse } from '../worlds/open-warehouse.ts';

const SITE = 'site_cut';
const AT = Date.UTC(2026, 9, 1, 12);
const counting: Counting = {
  counted: [],
  note: async (held) => held,
  alone: (work) => work(),
};

describe('a failed run of an erasure or of retention', () => {
  let world: WorldWarehouse;
  before(async () => {
    world = await openWorldWarehouse();
  });
  after(() => world.close());

  it('leaves a mutation that ends, and the next run of retention does its work', async () => {
    await addVisitors('ann', 'bob');
    const expired = { siteId: SITE, before: AT + 1 };
    await assertEnds((warehouse) => forget(warehouse, expired, counting));
    assert.deepEqual(await leftVisitors(), []);
  });

  it('leaves a mutation that ends, and the next run of an erasure does its work', async () => {
    await addVisitors('cid', 'dan');
    const forgotten = { siteId: SITE, visitors: ['cid'], transactions: [] };
    await assertEnds((warehouse) => forget(warehouse, forgotten, counting));
    assert.deepEqual(await leftVisitors(), ['dan']);
  });

  it('does not come from a refused query, however long the history is', async () => {
    const limits: (QueryLimits | undefined)[] = [];
    const select: Warehouse['select'] = <Row>(query: Statement, asked?: QueryLimits) => {
      if (query.sql.includes('FROM events')) limits.push(asked);
      return world.warehouse.select<Row>(query, asked);
    };
    await forget({ ...world.warehouse, select }, { siteId: SITE, before: 0 }, counting);
    assert.deepEqual(limits, [{ durationMs: 55_000, readRows: 0 }]);
  });

  /** The engine does not get to the mutation of `visitors` before the first run has failed. */
  async function assertEnds(forget: (warehouse: Warehouse) => Promise<unknown>): Promise<void> {
    await world.warehouse.command({ sql: 'SYSTEM STOP MERGES visitors' });
    await assert.rejects(forget(failingAtVisitors(world.warehouse)), WarehouseUnavailableError);
    await world.warehouse.command({ sql: 'SYSTEM START MERGES visitors' });
    await sleep(1_000); // It begins now, and fails when it lacks what it reads.
    const ended = forget(world.warehouse).then(() => 'ended');
    assert.equal(await Promise.race([ended, sleep(60_000, 'waits', { ref: false })]), 'ended');
  }

  async function addVisitors(...visitors: readonly string[]): Promise<void> {
    await world.addEvents(visitors.map(pageview));
  }

  async function leftVisitors(): Promise<string[]> {
    const rows = await world.warehouse.select<{ visitor_id: string }>({
      sql: `SELECT visitor_id FROM events INNER JOIN visitors FINAL USING visitor
        WHERE events.site_id = '${SITE}' ORDER BY visitor_id`,
    });
    return rows.map((row) => row.visitor_id);
  }
});

/** As when no answer comes in time: the mutation is taken, and nobody waits for it. */
function failingAtVisitors(warehouse: Warehouse): Warehouse {
  return {
    ...warehouse,
    async command(statement: Statement) {
      if (!statement.sql.startsWith('ALTER TABLE visitors DELETE')) {
        return warehouse.command(statement);
      }
      await warehouse.command(statement);
      throw new WarehouseUnavailableError(new Error('No answer came in time.'));
    },
  };
}

function pageview(visitor: string): EventRow {
  return {
    ...{ site_id: SITE, visitor_id: visitor, type: 'pageview', path: '/' },
    ...{ occurred_at: AT, accepted_at: AT, visit_started_at: AT },
    ...{ event_id: crypto.randomUUID(), visit_id: crypto.randomUUID() },
  };
}
