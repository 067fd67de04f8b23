import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Ledger, openLedger } from '#ledger/open-ledger.ts';
import { createListPayments } from '#report/payments/list-payments.ts';
import { createReports } from '#report/reports/create-reports.ts';
import { openWorldWarehouse, type WorldWarehouse } from '../../worlds/open-warehouse.ts';

const SITE = { id: 'site_notes', timezone: 'UTC', currency: 'EUR' };
const NOW = Date.parse('2026-03-01T12:00:00Z');
const PAID_AT = Date.parse('2026-02-20T12:00:00Z');

/** Dollars have a rate that is a month old, Kuwaiti dinars none. The phone and the laptop are one person's. */
const PAYMENTS = [
  ['euros', 'phone', 'EUR'],
  ['dinars', 'laptop', 'KWD'],
  ['bens-dinars', 'ben', 'KWD'],
  ['dollars', 'phone', 'USD'],
  ['bens-dollars', 'ben', 'USD'],
  ['bens-other-dollars', 'ben', 'USD'],
] as const;

describe('money without an exchange rate of its day', () => {
  let world: WorldWarehouse;
  let ledger: Ledger;
  const folder = mkdtempSync(join(tmpdir(), 'tributary-ledger-'));
  before(async () => {
    ledger = await openLedger({ location: join(folder, 'ledger.db'), now: () => NOW });
    world = await openWorldWarehouse();
    await world.addRates('Date,USD\n2026-01-20,1.2500\n');
    await world.addPayments(
      PAYMENTS.map(([transaction_id, visitor_id, currency]) => ({
        ...{ site_id: SITE.id, kind: 'payment', occurred_at: PAID_AT, paid_at: PAID_AT },
        ...{ transaction_id, visitor_id, currency, amount_minor: 10_000n },
      })),
    );
    await world.addPersons([['visitor', 'laptop', 'phone', SITE.id]]);
  });
  after(async () => {
    await world?.close();
    await ledger?.close();
    rmSync(folder, { recursive: true });
  });

  const dinars = (value: string, payments: number) => {
    const money = (of: string) => ({ value: of, currency: 'KWD' });
    const sums = { gross_revenue: money(value), refunds: money('0.000') };
    return { unconverted: [{ currency: 'KWD', payments, ...sums }] };
  };
  const dollars = (payments: number) => ({ late_rates: [{ currency: 'USD', payments }] });

  for (const model of ['first_touch', 'data_driven'] as const) {
    it(`is named in a person's story, theirs only, under ${model}`, async () => {
      const reports = createReports({ warehouse: world.warehouse, now: () => NOW });
      const storyOf = async (id: string, date_range = 'all') => {
        const sent = { site_id: SITE.id, date_range, id, isPersonal: true, model };
        const answer = await reports.people(ledger).story.answer(SITE, sent);
        assert.ok(answer.ok);
        return answer.value;
      };
      for (const id of ['phone', 'laptop']) {
        const story = await storyOf(id);
        assert.deepEqual(story?.meta, { ...dinars('10.000', 1), ...dollars(1) });
        assert.equal(story?.totals.gross_revenue.value, '180.00');
      }
      assert.deepEqual((await storyOf('ben'))?.meta, { ...dinars('10.000', 1), ...dollars(2) });
      assert.deepEqual((await storyOf('phone', 'day'))?.meta, undefined);
    });
  }

  it('is named in the list of payments, for its period and filters', async () => {
    const { list } = createListPayments(world.warehouse, ledger);
    const metaOf = async (filter = {}, paid = {}) =>
      (await list({ site: SITE, filter, paid, state: undefined, limit: 9 })).meta;
    assert.deepEqual(await metaOf(), { ...dinars('20.000', 2), ...dollars(3) });
    assert.deepEqual(await metaOf({ visitorId: 'ben' }), { ...dinars('10.000', 1), ...dollars(3) });
    assert.deepEqual(await metaOf({ customerId: 'nobody' }), dollars(3));
    assert.deepEqual(await metaOf({}, { before: PAID_AT }), {});
    assert.deepEqual(await metaOf({}, { from: PAID_AT }), {
      ...dinars('20.000', 2),
      ...dollars(3),
    });
  });
});
