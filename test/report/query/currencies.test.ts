import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { SentQuery } from '#contract/query.ts';
import { createReports } from '#report/reports/create-reports.ts';
import {
  openWorldWarehouse,
  type WorldPayment,
  type WorldWarehouse,
} from '../../worlds/open-warehouse.ts';

/**
 * Rates to the euro. 2 January 2026 is a Friday; the krone's rates stop, as it joins the euro; the
 * table ends on the 12th.
 */
const RATES = `Date,USD,JPY,DKK,BHD
2026-01-02,1.1000,150.00,7.5,0.4
2026-01-05,1.2000,160.00,N/A,0.4
2026-01-12,1.2500,160.00,N/A,0.4
`;
const NOW = Date.parse('2026-03-01T12:00:00Z');

function payment(id: string, at: string, money: [bigint, string], more = {}): WorldPayment {
  const paidAt = Date.parse(at);
  return {
    site_id: 'site_euro',
    kind: 'payment',
    transaction_id: id,
    occurred_at: paidAt,
    paid_at: paidAt,
    amount_minor: money[0],
    currency: money[1],
    ...more,
  };
}

function refund(of: WorldPayment, id: string, at: string, amountMinor: bigint): WorldPayment {
  const more = { kind: 'refund' as const, transaction_id: id, occurred_at: Date.parse(at) };
  return { ...of, ...more, original_transaction_id: of.transaction_id, amount_minor: amountMinor };
}

describe('money in several currencies', () => {
  let world: WorldWarehouse;
  before(async () => {
    world = await openWorldWarehouse();
    await world.addRates(RATES);
  });
  after(() => world.close());

  let sites = 0;
  let oldRates: string | undefined;
  async function ask(
    payments: readonly WorldPayment[],
    { currency = 'EUR', timezone = 'UTC' } = {},
    query: Partial<SentQuery> = {},
  ) {
    sites += 1;
    const id = `site_${sites}`;
    const rows = payments.map((row) => ({ ...row, site_id: id }));
    await world.addPayments(rows, { currency, timezone });
    const { breakdowns: report } = createReports({
      ...{ warehouse: world.warehouse, now: () => NOW },
      findOldRates: () => oldRates,
    });
    const answer = await report.answer(
      { id, timezone, currency },
      {
        site_id: id,
        metrics: ['gross_revenue', 'refunds', 'revenue'],
        date_range: ['2026-01-01', '2026-12-31'],
        ...query,
      },
    );
    assert.ok(answer.ok);
    const { results, meta } = answer.value;
    const texts = results[0]?.metrics.map((value) =>
      typeof value === 'object' && value !== null ? value.value : value,
    );
    return { line: texts?.join(' | '), meta };
  }

  const converted: readonly [string, WorldPayment[], string, object?][] = [
    ['takes the rate of the day', [payment('a', '2026-01-05T10:00Z', [12_00n, 'USD'])], '10.00'],
    [
      'on Sunday takes that of Friday',
      [payment('a', '2026-01-04T10:00Z', [11_00n, 'USD'])],
      '10.00',
    ],
    [
      "takes the day of the site's own zone",
      [payment('a', '2026-01-04T23:30Z', [12_00n, 'USD'])],
      '10.00',
      { timezone: 'Asia/Kolkata' },
    ],
    [
      'knows currencies without decimals',
      [payment('a', '2026-01-05T10:00Z', [1_600n, 'JPY'])],
      '10.00',
    ],
    ['knows currencies of three', [payment('a', '2026-01-05T10:00Z', [1_000n, 'BHD'])], '2.50'],
    [
      'goes by the euro between two others',
      [payment('a', '2026-01-05T10:00Z', [12_00n, 'USD'])],
      '1600',
      { currency: 'JPY' },
    ],
    [
      'rounds halves up',
      [
        payment('a', '2026-01-05T10:00Z', [3n, 'USD']),
        payment('b', '2026-01-05T10:00Z', [100_00n, 'EUR']),
      ],
      '100.03', // 0.025
    ],
    ['adds what needs no rate', [payment('a', '2026-02-20T10:00Z', [7_77n, 'EUR'])], '7.77'],
    [
      'is exact far beyond what a float holds',
      [payment('a', '2026-01-05T10:00Z', [99_999_999_999_999n, 'USD'])],
      '833333333333.33',
    ],
  ];
  for (const [rule, payments, gross, site] of converted) {
    it(rule, async () => {
      const { line, meta } = await ask(payments, site);
      assert.equal(line?.split(' | ')[0], gross);
      assert.deepEqual(meta, {});
    });
  }

  it('a refund takes the rate of its payment, whatever the rate of its own day', async () => {
    const sold = payment('a', '2026-01-05T10:00Z', [12_00n, 'USD']);
    const { line } = await ask([sold, refund(sold, 'a', '2026-01-12T10:00Z', 12_00n)]);
    assert.equal(line, '10.00 | 10.00 | 0.00');
  });
  it('refunds in parts come to what the payment was, to the cent', async () => {
    const sold = payment('a', '2026-01-05T10:00Z', [1_00n, 'USD']); // 83.33 cents
    const parts = [1, 2, 3].map(
      (day) => refund(sold, `r${day}`, `2026-01-1${day}T10:00Z`, day === 3 ? 34n : 33n), // 27.5, 27.5, 28.33
    );
    assert.equal((await ask([sold, ...parts])).line, '0.83 | 0.83 | 0.00');
  });
  it('a refund alone in its period is worth what it takes back there', async () => {
    const sold = payment('a', '2026-01-05T10:00Z', [1_00n, 'USD']);
    const parts = [
      refund(sold, 'r1', '2026-01-11T10:00Z', 33n),
      refund(sold, 'r2', '2026-02-01T10:00Z', 67n),
    ];
    const { line } = await ask([sold, ...parts], {}, { date_range: ['2026-02-01', '2026-02-01'] });
    assert.equal(line, '0.00 | 0.55 | -0.55'); // 0.83 less 0.28
  });
  it('names what has no rate, and counts it as nothing', async () => {
    const { line, meta } = await ask([
      payment('a', '2026-01-05T10:00Z', [5_00n, 'CLF']),
      payment('b', '2026-01-05T10:00Z', [5_00n, 'EUR']),
      payment('c', '2026-01-20T10:00Z', [75_00n, 'DKK']), // Two weeks after its rates stopped.
    ]);
    assert.equal(line, '5.00 | 0.00 | 5.00');
    assert.deepEqual(
      meta.unconverted?.map(({ gross_revenue }) => gross_revenue),
      [
        { value: '0.0500', currency: 'CLF' },
        { value: '75.00', currency: 'DKK' },
      ],
    );
  });
  it('goes on with the last rates there are, and says so after a week', async () => {
    const fresh = await ask([payment('a', '2026-01-18T10:00Z', [12_50n, 'USD'])]);
    assert.deepEqual([fresh.line, fresh.meta], ['10.00 | 0.00 | 10.00', {}]);
    const late = await ask([payment('a', '2026-02-18T10:00Z', [12_50n, 'USD'])]);
    assert.equal(late.line, '10.00 | 0.00 | 10.00');
    assert.deepEqual(late.meta.late_rates, [{ currency: 'USD', payments: 1 }]);
  });
  it('says until when there are rates, where other currencies were paid', async (t) => {
    oldRates = '2026-01-12';
    t.after(() => {
      oldRates = undefined;
    });
    const own = await ask([payment('a', '2026-01-05T10:00Z', [5_00n, 'EUR'])]);
    const foreign = await ask([payment('a', '2026-01-05T10:00Z', [5_00n, 'USD'])]);
    assert.deepEqual([own.meta, foreign.meta], [{}, { rates_until: '2026-01-12' }]);
  });
  it('converts before the rates are there to nothing at all', async () => {
    const { line, meta } = await ask([payment('a', '2026-01-01T10:00Z', [12_00n, 'USD'])]);
    assert.equal(line, '0.00 | 0.00 | 0.00');
    assert.equal(meta.unconverted?.[0]?.gross_revenue.value, '12.00');
  });
});
