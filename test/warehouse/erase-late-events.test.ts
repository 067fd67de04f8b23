import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { toLineOpening, toLineTail } from '#contract/rows/event-lines.ts';
import type { EventRow } from '#contract/rows/event-row.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import { openArchive } from '#journal/archive/open-archive.ts';
import { listArchive, readArchiveFile } from '#journal/archive/read-archive.ts';
import { readUptimeMs } from '#storage/keep-clock.ts';
import { toBatchId } from '#storage/shipment-token.ts';
import type { Statement } from '#warehouse/client/client.ts';
import { eraseNext } from '../../src/ingest/erase/erase.ts';
import { makeLedgerForEachTest, openErasures } from '../ledger/ledger-of-test.ts';
import { openWorldWarehouse, type WorldWarehouse } from '../worlds/open-warehouse.ts';

describe('an event that arrives after the others were counted, but was accepted before', () => {
  const own = makeLedgerForEachTest();
  let folder: string;
  let world: WorldWarehouse;
  before(async () => {
    world = await openWorldWarehouse();
    folder = mkdtempSync(join(tmpdir(), 'tributary-late-'));
    for (const name of ['journals', 'archive']) mkdirSync(join(folder, name));
  });
  after(async () => {
    await world.close();
    rmSync(folder, { recursive: true });
  });

  it('is erased from warehouse and archive, and counted, after an interrupted run', async () => {
    own.clock = Date.now();
    const siteId = await addSite();
    await ship(1, pageview(siteId, own.clock));
    const { id } = await own.ledger.requestErasure(siteId, 'ann', 'visitor');
    const erasures = await openErasures(own.path, Date.now);
    const ports = { ...portsWhile(async () => {}), erasures };
    const broken = { ...ports.warehouse, command: brokenOff };
    await assert.rejects(eraseNext({ ...ports, warehouse: broken }), /broken off/);
    await ship(2, pageview(siteId, own.clock));
    await eraseNext(ports);
    await erasures.close();
    const { visitors, events, archived_events } =
      (await own.ledger.findErasure(siteId, id))?.counts ?? {};
    assert.deepEqual([visitors, events, archived_events], [1, 2, 2]);
    assert.deepEqual([await inWarehouse(siteId), await inArchive(siteId)], [0, 0]);
  });

  it('stays in both when old events are deleted, until the next run', async () => {
    const siteId = await addSite();
    await own.ledger.setSite(siteId, { retention: '30d' });
    const at = own.clock - 40 * DAY_MS;
    await ship(3, pageview(siteId, at));
    const late = pageview(siteId, at);
    const erasures = await openErasures(own.path, () => own.clock);
    const ports = { erasures };
    await erasures.requestExpiries();
    await eraseNext({ ...portsWhile(() => ship(4, late)), ...ports });
    assert.deepEqual([await inWarehouse(siteId), await inArchive(siteId)], [1, 1]);
    assert.equal(await inVisits(siteId), 1);
    assert.equal(await erasures.isAnythingDue(), false);
    own.clock += DAY_MS;
    assert.equal(await erasures.isAnythingDue(), true);
    await erasures.requestExpiries();
    await eraseNext({ ...portsWhile(async () => {}), ...ports });
    await erasures.close();
    assert.deepEqual([await inWarehouse(siteId), await inArchive(siteId)], [0, 0]);
    assert.equal(await inVisits(siteId), 0);
  });

  /** What comes in does so right after events were counted and visits were deleted. */
  function portsWhile(comeIn: () => Promise<void>) {
    return {
      warehouse: world.warehouse,
      paths: {
        journals: join(folder, 'journals'),
        archive: join(folder, 'archive'),
        rebuild: join(folder, 'rebuild'),
      },
      async alone<T>(work: () => Promise<T>) {
        const done = await work();
        await comeIn();
        return done;
      },
      waitForShipping: async () => {},
      wake: () => {},
      leaveArchiveFile: () => {},
      reportUnread: () => {},
      uptimeMs: () => readUptimeMs() + 60_000, // What was on its way is in.
    };
  }

  async function brokenOff(statement: Statement): Promise<void> {
    if (statement.sql.startsWith('ALTER TABLE visits')) throw new Error('broken off');
    await world.warehouse.command(statement);
  }

  /** As a shipper does: into the warehouse, then into the archive. */
  async function ship(seq: number, row: EventRow): Promise<void> {
    const lines = Buffer.from(toLineOpening(toBatchId(1, seq)) + toLineTail(row));
    await world.warehouse.insertLines('events', lines);
    const archive = openArchive({ folder: join(folder, 'archive') });
    await archive.keep({ token: `journal-1-${seq}-${seq}`, rows: 1, lines });
    await archive.close();
  }

  async function addSite(): Promise<string> {
    const added = await own.ledger.addSite({
      domain: 'example.com',
      timezone: 'UTC',
      currency: 'USD',
    });
    assert.ok(added.ok);
    return added.value.id;
  }

  async function inWarehouse(siteId: string): Promise<number> {
    const [row] = await world.warehouse.select<{ events: string }>({
      sql: 'SELECT count() AS events FROM events WHERE site_id = {siteId:String}',
      params: { siteId },
    });
    return Number(row?.events);
  }

  async function inVisits(siteId: string): Promise<number> {
    const [row] = await world.warehouse.select<{ visits: string }>({
      sql: 'SELECT count() AS visits FROM visits FINAL WHERE site_id = {siteId:String}',
      params: { siteId },
    });
    return Number(row?.visits);
  }

  async function inArchive(siteId: string): Promise<number> {
    let found = 0;
    for (const { path } of listArchive(join(folder, 'archive'))) {
      for await (const part of readArchiveFile(join(folder, 'archive', path))) {
        assert.equal(part.kind, 'shipment');
        const text = part.kind === 'shipment' ? (await part.readLines()).toString() : '';
        found += text.split(siteId).length - 1;
      }
    }
    return found;
  }
});

function pageview(siteId: string, at: number): EventRow {
  return {
    ...{ site_id: siteId, visitor_id: 'ann', type: 'pageview', path: '/' },
    ...{ occurred_at: at, accepted_at: at, visit_started_at: at },
    ...{ event_id: crypto.randomUUID(), visit_id: crypto.randomUUID() },
  };
}
