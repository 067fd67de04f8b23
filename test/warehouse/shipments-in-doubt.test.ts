import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { toLineOpening, toLineTail } from '#contract/rows/event-lines.ts';
import type { EventRow } from '#contract/rows/event-row.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import { completeEvents } from '#warehouse/events/complete-events.ts';
import { openWorldWarehouse, type WorldWarehouse } from '../worlds/open-warehouse.ts';

const AT = Date.UTC(2026, 9, 15);

/** One event of a visit; batch 7 is the shipment in doubt, batch 6 what was confirmed before. */
function line(batch: number, number: number, visit: number, more: Partial<EventRow> = {}): string {
  const at = AT + visit * 31 * DAY_MS; // Each visit in a month, and so in a partition, of its own.
  const tail = toLineTail({
    ...{ site_id: 's', type: 'pageview' },
    ...{ event_id: `00000000-0000-7000-8000-0000000${batch}000${number}`, visitor_id: `v${visit}` },
    ...{ occurred_at: at + number, accepted_at: at, path: `/${number}`, engagement_ms: number },
    ...{ visit_id: `00000000-0000-7000-8000-00000000000${visit}`, visit_started_at: at },
    ...more,
  });
  return toLineOpening((1n << 40n) | BigInt(batch)) + tail;
}

const EARLIER = [line(6, 1, 1), line(6, 2, 1, { type: 'goal', name: 'signup' })];
/** A visitor without pageviews. */
const ALONE = line(7, 6, 3, { type: 'goal', name: 'signup' });
const SHIPMENT = [line(7, 3, 1, { source: 'x' }), line(7, 4, 2), line(7, 5, 2), ALONE];

/** What a power cut left of the shipment, made with the engine's own means. */
const REMAINS: readonly (readonly [string, (world: WorldWarehouse) => Promise<void>])[] = [
  ['nothing', async () => {}],
  ['all', (world) => insert(world, SHIPMENT)],
  ['one month of it', (world) => insert(world, SHIPMENT.slice(1, 3))],
  [
    'the events without visits and visitors',
    async (world) => {
      await detachViews(world);
      await insert(world, SHIPMENT);
      await attachViews(world);
    },
  ],
  [
    'the events with visits and without visitors',
    async (world) => {
      await detachViews(world, ['visitors']);
      await insert(world, SHIPMENT);
      await attachViews(world, ['visitors']);
    },
  ],
  [
    'visits and visitors without the events',
    async (world) => {
      await insert(world, SHIPMENT);
      const sql = 'ALTER TABLE events DELETE WHERE batch_id % 256 = 7 SETTINGS mutations_sync = 2';
      await world.warehouse.command({ sql });
    },
  ],
  [
    'one month of visits without its events, and no visitors',
    async (world) => {
      await detachViews(world, ['visitors']);
      await insert(world, SHIPMENT);
      await attachViews(world, ['visitors']);
      const sql = `ALTER TABLE events DELETE WHERE batch_id % 256 = 7 AND visitor_id = 'v2'
        SETTINGS mutations_sync = 2`;
      await world.warehouse.command({ sql });
    },
  ],
];

describe('a shipment in doubt after a power cut', () => {
  let world: WorldWarehouse;
  let expected: unknown;
  before(async () => {
    world = await openWorldWarehouse();
    await insert(world, [...EARLIER, ...SHIPMENT]);
    expected = await readAll();
    assert.deepEqual(JSON.stringify(expected).includes('"/6"'), true);
  });
  after(() => world.close());
  beforeEach(async () => {
    for (const table of ['events', 'visits', 'visitors']) {
      await world.warehouse.command({ sql: `TRUNCATE TABLE ${table}` });
    }
    await insert(world, EARLIER);
  });

  for (const [what, leave] of REMAINS) {
    it(`is whole afterwards, once, when ${what} survived`, async () => {
      await leave(world);
      await complete();
      assert.deepEqual(await readAll(), expected);
      assert.equal(await complete(), 0);
      assert.deepEqual(await readAll(), expected);
    });
  }

  it('may be empty', async () => {
    assert.equal((await completeEvents(world.warehouse, Buffer.alloc(0))).rows, 0);
  });

  it('may span more months than the engine accepts by default', async () => {
    const lines = Array.from({ length: 101 }, (_, month) =>
      line(8, 0, 4, {
        event_id: randomUUID(),
        visit_id: randomUUID(),
        visit_started_at: Date.UTC(2010, month, 2),
        occurred_at: Date.UTC(2010, month, 2),
      }),
    );
    const text = Buffer.from(lines.join(''));
    assert.equal((await completeEvents(world.warehouse, text)).rows, 101);
    assert.equal((await completeEvents(world.warehouse, text)).rows, 0);
  });

  it('is sent even if the engine has its token but lost its rows', async () => {
    await world.warehouse.insertLines('events', Buffer.from(SHIPMENT.join('')), 'journal-1-7-7');
    for (const table of ['events', 'visits', 'visitors']) {
      const sql = `ALTER TABLE ${table} DELETE WHERE 1 SETTINGS mutations_sync = 2`;
      await world.warehouse.command({ sql });
    }
    await insert(world, EARLIER);
    assert.equal(await complete(), 4);
    assert.deepEqual(await readAll(), expected);
  });

  async function complete(): Promise<number> {
    return (await completeEvents(world.warehouse, Buffer.from(SHIPMENT.join('')))).rows;
  }

  async function readAll(): Promise<unknown> {
    const { warehouse } = world;
    return {
      events: await warehouse.select({ sql: 'SELECT * FROM events ORDER BY event_id' }),
      visits: await warehouse.select({
        sql: 'SELECT * FROM visits FINAL ORDER BY visit_id',
      }),
      visitors: await warehouse.select({
        sql: 'SELECT * FROM visitors FINAL ORDER BY visitor',
      }),
    };
  }
});

/** As a first insert of these lines; the same lines are inserted by several tests. */
function insert({ warehouse }: WorldWarehouse, lines: readonly string[]): Promise<void> {
  return warehouse.insertLines('events', Buffer.from(lines.join('')), randomUUID());
}

const BOTH = ['visits', 'visitors'] as const;

async function detachViews({ warehouse }: WorldWarehouse, names: readonly string[] = BOTH) {
  for (const name of names) await warehouse.command({ sql: `DETACH TABLE ${name}_from_events` });
}

async function attachViews({ warehouse }: WorldWarehouse, names: readonly string[] = BOTH) {
  for (const name of names) await warehouse.command({ sql: `ATTACH TABLE ${name}_from_events` });
}
