import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventRow } from '#contract/event-row.ts';
import { UnavailableError } from '#domain/unavailable.ts';
import type { Statement, Warehouse } from '#warehouse/client.ts';
import { forgetBefore } from '#warehouse/forget/forget-before.ts';
import { forgetVisitors } from '#warehouse/forget/forget-visitors.ts';
import { WarehouseUnavailableError } from '#warehouse/warehouse-unavailable.ts';
import { openWorldWarehouse, type WorldWarehouse } from '../worlds/open-warehouse.ts';

const SITE = 'site_cut';
const AT = Date.UTC(2026, 9, 1, 12);
const alone = <T>(work: () => Promise<T>) => work();

describe('what a failed run of an erasure or of retention leaves', () => {
  let world: WorldWarehouse;
  before(async () => {
    world = await openWorldWarehouse();
  });
  after(() => world.close());

  it('is a mutation that ends, and the next run of retention does its work', async () => {
    await addVisitors('ann', 'bob');
    const expired = { siteId: SITE, since: AT + 1, until: AT + 1_000, batchIds: ['1'] };
    await assertEnds((warehouse) => forgetBefore(warehouse, expired, alone));
    assert.deepEqual(await leftVisitors(), []);
  });

  it('is a mutation that ends, and the next run of an erasure does its work', async () => {
    await addVisitors('cid', 'dan');
    const forgotten = {
      siteId: SITE,
      visitors: ['cid'],
      transactions: [],
      batchIds: ['1'],
      until: AT + 1_000,
    };
    await assertEnds((warehouse) => forgetVisitors(warehouse, forgotten, alone));
    assert.deepEqual(await leftVisitors(), ['dan']);
  });

  it('is not taken for done, when the names were lost, as by an engine that starts anew', async () => {
    await addVisitors('eve');
    const addedEvents = await countEvents();
    const until = AT + 1_000;
    const losing = losingAtEvents(world.warehouse);
    const erasure = { siteId: SITE, visitors: ['eve'], transactions: [], batchIds: ['1'], until };
    await assert.rejects(forgetVisitors(losing, erasure, alone), UnavailableError);
    const expired = { siteId: SITE, since: AT + 1, batchIds: ['1'], until };
    await assert.rejects(forgetBefore(losing, expired, alone), UnavailableError);
    assert.equal(await countEvents(), addedEvents, 'none was named when they were to go');
    assert.ok(addedEvents > 0);
    await forgetVisitors(world.warehouse, erasure, alone);
    await forgetBefore(world.warehouse, expired, alone);
    assert.equal(await countEvents(), 0);
  });

  /** The engine does not get to the mutation of `visitors` before the first run has failed. */
  async function assertEnds(forget: (warehouse: Warehouse) => Promise<void>): Promise<void> {
    await world.warehouse.command({ sql: 'SYSTEM STOP MERGES visitors' });
    await assert.rejects(forget(failingAtVisitors(world.warehouse)), WarehouseUnavailableError);
    await world.warehouse.command({ sql: 'SYSTEM START MERGES visitors' });
    await sleep(1_000); // It begins now, and fails when it lacks what it reads.
    const ended = forget(world.warehouse).then(() => 'ended');
    assert.equal(await Promise.race([ended, sleep(20_000, 'waits', { ref: false })]), 'ended');
  }

  async function addVisitors(...visitors: readonly string[]): Promise<void> {
    await world.addEvents(visitors.map(pageview));
  }

  async function countEvents(): Promise<number> {
    const [row] = await world.warehouse.select<{ events: string }>({
      sql: 'SELECT count() AS events FROM events',
    });
    return Number(row?.events);
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
      const sql = statement.sql.replace('mutations_sync = 2', 'mutations_sync = 0');
      await warehouse.command({ ...statement, sql });
      throw new WarehouseUnavailableError(new Error('No answer came in time.'));
    },
  };
}

function losingAtEvents(warehouse: Warehouse): Warehouse {
  return {
    ...warehouse,
    async command(statement: Statement) {
      const [, table] = /^ALTER TABLE events DELETE .* FROM (\w+)/s.exec(statement.sql) ?? [];
      if (table !== undefined) await warehouse.command({ sql: `TRUNCATE TABLE ${table}` });
      await warehouse.command(statement);
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
