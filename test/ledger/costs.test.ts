import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Cost } from '#domain/money/cost.ts';
import { openProjection } from '#ledger/open-ledger.ts';
import { makeLedgerForEachTest } from './ledger-of-test.ts';
import { createRates, readRow } from './rates-of-test.ts';

const own = makeLedgerForEachTest();

const TABLE = 'Date,USD,JPY\n2026-01-05,1.25,160\n2026-01-02,1.10,150\n';
const ADD = { isWhole: false };

function spend(campaign: string, amountMinor: bigint, currency = 'EUR', day = '2026-01-05'): Cost {
  const tags = { source: 'Google', medium: 'cpc', campaign, channel: 'Paid Search' };
  return { day, ...tags, amountMinor, currency };
}

/** A ledger with a site in euros, and the warehouse's rows of its costs by campaign. */
async function open() {
  const rates = createRates();
  rates.change(TABLE);
  const added = await own.ledger.addSite({ domain: 'a.example', timezone: 'UTC', currency: 'EUR' });
  assert.ok(added.ok);
  const { id } = added.value;
  const projection = await openProjection(own.path, rates);
  const rows = new Map<string, Record<string, unknown>>();
  return {
    ...{ id, rates, rows, close: projection.close },
    /** Ships costs that have changed, and those to convert again. Returns how many. */
    async ship(): Promise<number> {
      let shipped = 0;
      for (let isDone = false; !isDone; ) {
        isDone = true;
        for (const source of projection.sources.slice(3)) {
          const shipment = await source.nextShipment();
          if (shipment === undefined) continue;
          isDone = false;
          assert.equal(shipment.table, 'costs');
          const lines = shipment.lines.toString().split('\n').filter(Boolean);
          for (const row of lines.map(readRow)) rows.set(String(row.campaign), row);
          shipped += shipment.rows;
          await shipment.confirm();
        }
      }
      await own.ledger.refresh();
      return shipped;
    },
    minor: (campaign: string, place = 0) => rows.get(campaign)?.[`site_minor_${place}`],
  };
}

describe('costs in the ledger', () => {
  it('ship to the warehouse with money of the site, at the rate of their day', async (t) => {
    const site = await open();
    t.after(site.close);
    const friday = spend('c', 11_00n, 'USD', '2026-01-04');
    await own.ledger.recordCosts(
      site.id,
      [spend('a', 10_00n), spend('b', 10_00n, 'USD'), friday],
      ADD,
    );
    await own.ledger.recordCosts(site.id, [spend('d', 10_00n, 'NGN')], ADD);
    await site.ship();
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((name) => site.minor(name)),
      ['1000', '800', '1000', '0'],
    );
    assert.deepEqual([site.rows.get('d')?.rate_0, site.rows.get('d')?.rate_source_0], [0, 'none']);
    assert.equal(await site.ship(), 0);
  });

  it('ship again only if they change, and as deleted ones if they are removed', async (t) => {
    const site = await open();
    t.after(site.close);
    await own.ledger.recordCosts(site.id, [spend('a', 10_00n), spend('b', 5_00n)], ADD);
    await site.ship();
    await own.ledger.recordCosts(site.id, [spend('a', 10_00n), spend('b', 6_00n)], ADD);
    assert.equal(await site.ship(), 1);
    assert.equal(site.minor('b'), '600');
    await own.ledger.recordCosts(site.id, [spend('a', 10_00n)], { isWhole: true });
    assert.equal(await site.ship(), 1);
    assert.equal(site.rows.get('b')?.is_deleted, 1);
    const back = await own.ledger.recordCosts(site.id, [spend('b', 6_00n)], ADD);
    assert.deepEqual([back.added, back.kept], [1, 1]);
    await site.ship();
    assert.equal(site.rows.get('b')?.is_deleted, undefined);
  });

  it('are converted again for later rates and for another currency, which shows when all have it', async (t) => {
    const site = await open();
    t.after(site.close);
    await own.ledger.recordCosts(site.id, [spend('a', 10_00n), spend('b', 10_00n, 'USD')], ADD);
    await site.ship();
    site.rates.change('Date,USD,JPY\n2026-01-05,2,160\n2026-01-02,1.10,150\n');
    assert.equal(await site.ship(), 1);
    assert.equal(site.minor('b'), '500');
    await own.ledger.setSite(site.id, {}, { currency: 'JPY' });
    await own.ledger.refresh();
    assert.equal(own.ledger.findSite(site.id)?.shown?.currency, 'EUR');
    assert.equal(await site.ship(), 2);
    assert.deepEqual([site.minor('a', 1), site.minor('b', 1)], ['1600', '800']);
    assert.deepEqual(own.ledger.findSite(site.id)?.shown, { currency: 'JPY', place: 1 });
  });

  it('of another site stay as they are, whatever is removed', async (t) => {
    const site = await open();
    t.after(site.close);
    await own.ledger.recordCosts('site_other', [spend('a', 1_00n)], ADD);
    await own.ledger.recordCosts(site.id, [spend('b', 1_00n)], { isWhole: true });
    assert.equal(
      await own.ledger.removeCosts(site.id, { from: '2026-01-01', until: '2026-12-31' }),
      1,
    );
    assert.equal(await own.ledger.removeCosts(site.id, { importId: 'api' }), 0);
    assert.equal((await own.ledger.listCostImports('site_other'))[0]?.costs, 1);
  });

  it('belong to the import that stated them last', async (t) => {
    const site = await open();
    t.after(site.close);
    const file = (name: string) => ({ isWhole: false, file: name });
    const { importId } = await own.ledger.recordCosts(
      site.id,
      [spend('a', 1_00n)],
      file('one.csv'),
    );
    await own.ledger.recordCosts(site.id, [spend('a', 1_00n), spend('b', 1_00n)], file('two.csv'));
    const listed = await own.ledger.listCostImports(site.id);
    assert.deepEqual(
      listed.map((each) => [each.file, each.costs]),
      [['two.csv', 2]],
    );
    assert.equal(await own.ledger.removeCosts(site.id, { importId: importId ?? '' }), 0);
    await own.ledger.recordCosts(site.id, [spend('b', 2_00n)], ADD);
    const last = await own.ledger.listCostImports(site.id);
    assert.deepEqual(
      last.map((each) => [each.id === 'api', each.costs]),
      [
        [false, 1],
        [true, 1],
      ],
    );
  });
});
