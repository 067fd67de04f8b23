import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { PeopleQuery } from '#contract/people.ts';
import { type Ledger, openLedger } from '#ledger/open-ledger.ts';
import { createReports } from '#report/reports/create-reports.ts';
import { BAKERY, BAKERY_EVENTS, BAKERY_NOW } from '../../worlds/bakery.ts';
import { openWorldWarehouse, type WorldWarehouse } from '../../worlds/open-warehouse.ts';

const MANY = 12_000;
const PERIOD: PeopleQuery['date_range'] = ['2026-11-01', '2026-11-30'];

describe('an export of persons', () => {
  let world: WorldWarehouse;
  let ledger: Ledger;
  const folder = mkdtempSync(join(tmpdir(), 'tributary-ledger-'));
  before(async () => {
    ledger = await openLedger({ location: join(folder, 'ledger.db'), now: () => BAKERY_NOW });
    world = await openWorldWarehouse();
    const [event] = BAKERY_EVENTS;
    assert.ok(event);
    const many = Array.from({ length: MANY }, (_, index) => ({
      ...event,
      ...{ event_id: crypto.randomUUID(), visitor_id: `v${index}` },
      occurred_at: event.occurred_at + (index % 100), // Many were last seen at the same time.
    }));
    await world.addEvents(many);
  });
  after(async () => {
    await world?.close();
    await ledger?.close();
    rmSync(folder, { recursive: true });
  });

  it('asks both stores once for ten thousand persons, and has all in order of their last visit', async () => {
    const asked = { warehouse: 0, ledger: 0 };
    const { warehouse } = world;
    const reports = createReports({
      warehouse: {
        ...warehouse,
        select(...query) {
          asked.warehouse += 1;
          return warehouse.select(...query);
        },
      },
      now: () => BAKERY_NOW,
    });
    const counted: Ledger = {
      ...ledger,
      findPersonKeys(...query) {
        asked.ledger += 1;
        return ledger.findPersonKeys(...query);
      },
    };
    const exports = reports.exports(counted, { listAll: () => assert.fail('not of payments') });
    const wish = { content: 'persons', format: 'ndjson', isPersonal: true, bots: false } as const;
    const opened = await exports.open(BAKERY, { ...wish, date_range: PERIOD });
    assert.ok(opened.ok);
    const text = Buffer.concat(await Array.fromAsync(opened.value)).toString();

    const rows = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const key = (row: (typeof rows)[number]) =>
      `${4e12 - Date.parse(row.last_seen_at)} ${row.person_id}`;
    assert.equal(new Set(rows.map((row) => row.person_id)).size, MANY);
    assert.deepEqual(rows.map(key), rows.map(key).toSorted());
    assert.equal(asked.ledger, 2);
    assert.ok(asked.warehouse <= 8, `${asked.warehouse} statements`);
  });
});
