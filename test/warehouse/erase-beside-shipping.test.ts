import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { toLineOpening, toLineTail } from '#contract/rows/event-lines.ts';
import type { EventRow } from '#contract/rows/event-row.ts';
import { shipAlone, shipTogether } from '#journal/shipping-lock.ts';
import { forget } from '#warehouse/forget/forget.ts';
import type { HeldEvents } from '#warehouse/forget/held-events.ts';
import { openWorldWarehouse, type WorldWarehouse } from '../worlds/open-warehouse.ts';

const SITE = 'site_erased';
const AT = Date.UTC(2026, 10, 1, 12);

describe('an erasure during shipping', () => {
  let world: WorldWarehouse;
  before(async () => {
    world = await openWorldWarehouse();
  });
  after(async () => {
    await world.close();
  });

  it('counts events once that arrive during the erasure', async () => {
    await world.addEvents([pageview('ann', 0), pageview('bob', 0)]);
    let shipping: Promise<void> | undefined;
    const warehouse = {
      ...world.warehouse,
      async command(statement: { readonly sql: string }) {
        await world.warehouse.command(statement);
        if (!statement.sql.startsWith('ALTER TABLE visits DELETE')) return;
        shipping = shipTogether(() => world.warehouse.insertLines('events', later()));
        // Who would not wait for the lock has shipped by then.
        await Promise.race([shipping, new Promise((done) => setTimeout(done, 2_000))]);
      },
    };
    const forgotten = { siteId: SITE, visitors: ['ann'], transactions: [] };
    const note = async (held: readonly HeldEvents[]) => held;
    await forget(warehouse, forgotten, { counted: [], note, alone: shipAlone });
    assert.ok(shipping !== undefined);
    await shipping;
    const [found] = await world.warehouse.select({
      sql: `SELECT (SELECT count() FROM events WHERE visitor_id = 'ann') AS events,
        (SELECT sum(events) FROM visits FINAL WHERE visitor_id = 'ann') AS counted`,
    });
    assert.deepEqual(found, { events: '1', counted: '1' });
  });
});

/** Of another batch than the first events. */
function later(): Buffer {
  return Buffer.from(toLineOpening(2n) + toLineTail(pageview('ann', 60_000)));
}

function pageview(visitor: string, afterMs: number): EventRow {
  const at = AT + afterMs;
  return {
    ...{ site_id: SITE, visitor_id: visitor, type: 'pageview', path: '/' },
    ...{ occurred_at: at, accepted_at: at, visit_started_at: AT },
    event_id: crypto.randomUUID(),
    visit_id: visitor === 'ann' ? '018f0000-0000-7000-8000-000000000001' : crypto.randomUUID(),
  };
}
