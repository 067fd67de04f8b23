import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { EventRow } from '#contract/event-row.ts';
import { openExpiries } from '#ledger/erasure/open-expiries.ts';
import type { Statement, Warehouse } from '#warehouse/client.ts';
import { findHeldEvents } from '#warehouse/forget/forget-visitors.ts';
import type { QueryLimits } from '#warehouse/query-limits.ts';
import { expireNext } from '../../src/ingest/erase/expire.ts';
import { makeLedgerForEachTest } from '../ledger/ledger-of-test.ts';
import { openWorldWarehouse, type WorldWarehouse } from '../worlds/open-warehouse.ts';

const DAY_MS = 86_400_000;
const SLICE_EVENTS_MAX = 3;

describe('a history that is too long to go at once', () => {
  const own = makeLedgerForEachTest();
  const folder = mkdtempSync(join(tmpdir(), 'tributary-slices-'));
  let world: WorldWarehouse;
  before(async () => {
    world = await openWorldWarehouse();
  });
  after(async () => {
    await world.close();
    rmSync(folder, { recursive: true });
  });

  it('goes in slices, the oldest first, and whatever is kept stays', async () => {
    const siteId = addSite();
    await world.addEvents([400, 400, 399, 200, 200, 200, 200, 50, 1].map(pageviewOf(siteId)));
    const expiries = openExpiries(own.path, () => own.clock);
    const { warehouse, limits } = notingLimits();
    const left = [await countEvents(siteId)];
    while (await expireNext({ ...PORTS, ...paths(), expiries, warehouse })) {
      left.push(await countEvents(siteId));
    }
    expiries.close();
    // More than a slice of one hour go together.
    assert.deepEqual(left, [9, 6, 2, 1]);
    assertUnlimited(limits);
  });

  it('is looked through as a whole for an erasure, too', async () => {
    const { warehouse, limits } = notingLimits();
    await findHeldEvents(warehouse, { siteId: 's', visitors: [], transactions: [], until: 0 });
    assertUnlimited(limits);
  });

  /** The warehouse, and under which limits queries about events were asked. */
  function notingLimits() {
    const limits: QueryLimits[] = [];
    const select: Warehouse['select'] = <Row>(query: Statement, asked: QueryLimits = {}) => {
      if (query.sql.includes('FROM events')) limits.push(asked);
      return world.warehouse.select<Row>(query, asked);
    };
    return { warehouse: { ...world.warehouse, select }, limits };
  }

  function assertUnlimited(limits: readonly QueryLimits[]): void {
    assert.ok(limits.length > 0);
    for (const asked of limits) assert.deepEqual(asked, { durationMs: 55_000, readRows: 0 });
  }

  const paths = () => ({
    paths: {
      journals: folder,
      archive: join(folder, 'archive'),
      rebuild: join(folder, 'rebuild'),
    },
    now: () => own.clock,
  });

  function addSite(): string {
    const added = own.ledger.addSite({ domain: 'example.com', timezone: 'UTC', currency: 'USD' });
    assert.ok(added.ok);
    own.ledger.setSite(added.value.id, { retention: '30d' }, []);
    return added.value.id;
  }

  const pageviewOf =
    (siteId: string) =>
    (daysAgo: number): EventRow => {
      const at = own.clock - daysAgo * DAY_MS;
      return {
        ...{ site_id: siteId, visitor_id: 'ann', type: 'pageview', path: '/' },
        ...{ occurred_at: at, accepted_at: at, visit_started_at: at },
        ...{ event_id: crypto.randomUUID(), visit_id: crypto.randomUUID() },
      };
    };

  async function countEvents(siteId: string): Promise<number> {
    const [row] = await world.warehouse.select<{ events: string }>({
      sql: 'SELECT count() AS events FROM events WHERE site_id = {siteId:String}',
      params: { siteId },
    });
    return Number(row?.events);
  }
});

const PORTS = {
  alone: <T>(work: () => Promise<T>) => work(),
  waitForShipping: async () => {},
  wake: () => {},
  reportUnread: () => {},
  sliceEventsMax: SLICE_EVENTS_MAX,
};
