import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { BAKERY } from '../../worlds/bakery.ts';
import { type Bakery, openBakery } from '../../worlds/open-bakery.ts';
import type { WorldPayment } from '../../worlds/open-warehouse.ts';

/**
 * A subscription and a few more, in January 2027 Berlin time:
 *
 * ```
 * Jan  1  gus (customer c1, gus@x)   starts a trial of the loaf club: 0.00
 * Jan  8  gus (customer c1)          20.00 for the loaf club
 * Jan 15  gus (customer c1)          20.00, a renewal
 * Jan 16  gus                        gets 5.00 of the renewal back
 * Jan 20  hal@x                      30.00 by Stripe
 * Jan 21  hal@x                      6.00 by Stripe
 * Jan 22  anna                       10.00 (a customer since November)
 * ```
 */
const LOAF = { customer_id: 'c1', product: 'loaf club' };
const HAL = { email: 'hal@x', provider: 'stripe' };

function payment(id: string, day: number, amountMinor: bigint, more = {}): WorldPayment {
  const at = Date.parse(`2027-01-${String(day).padStart(2, '0')}T11:00:00+01:00`);
  return {
    ...{ site_id: BAKERY.id, kind: 'payment', transaction_id: id, currency: 'EUR' },
    ...{ occurred_at: at, paid_at: at, amount_minor: amountMinor, ...more },
  };
}

let bakery: Bakery;
before(async () => {
  bakery = await openBakery();
  const renewal = payment('s-2', 15, 20_00n, { ...LOAF, renewal: 1 });
  await bakery.addPayments([
    payment('s-0', 1, 0n, { ...LOAF, email: 'gus@x' }),
    payment('s-1', 8, 20_00n, LOAF),
    renewal,
    {
      ...renewal,
      ...{ kind: 'refund', transaction_id: 'r-2', original_transaction_id: 's-2' },
      ...{ amount_minor: 5_00n, occurred_at: renewal.paid_at + 86_400_000 },
    },
    payment('h-1', 20, 30_00n, HAL),
    payment('h-2', 21, 6_00n, HAL),
    payment('a-1', 22, 10_00n, { visitor_id: 'anna' }),
  ]);
});
after(() => bakery.close());

const date_range: [string, string] = ['2027-01-01', '2027-01-31'];

describe('customers', () => {
  const totals = [
    ['new_revenue', '66.00'], // 20 + 30 + 6 + 10
    ['renewal_revenue', '15.00'],
    ['gross_new_revenue', '66.00'],
    ['gross_renewal_revenue', '20.00'],
    ['payments', '6'],
    ['trials', '1'],
    ['customers', '3'],
    ['new_customers', '2'],
    ['average_order_value', '17.20'], // 86.00 / 5
    ['revenue_per_customer', '27.00'], // 81.00 / 3
  ] as const;
  for (const [metric, value] of totals) {
    it(`have ${metric} of ${value}`, async () => {
      assert.deepEqual(await bakery.lines({ metrics: [metric], date_range }), [value]);
    });
  }
  it('are new in the row of their first payment', async () => {
    assert.deepEqual(
      await bakery.lines({
        metrics: ['new_customers', 'customers'],
        dimensions: ['time:week'],
        date_range,
      }),
      // A trial is no purchase.
      ['2026-12-28 | 0 | 0', '2027-01-04 | 1 | 1', '2027-01-11 | 0 | 1', '2027-01-18 | 1 | 2'],
    );
  });
  it('have no way to the purchase where no touch is known', async () => {
    const metrics = ['time_to_purchase', 'visits_to_purchase'];
    assert.deepEqual(await bakery.lines({ metrics, date_range }), ['null | null']);
  });
  it('come the longer way the longer one looks back', async () => {
    await bakery.addPayments([
      { ...payment('d-1', 30, 1_00n), visitor_id: 'dora' }, // Her visit was on 1 November.
    ]);
    const metrics = ['time_to_purchase', 'visits_to_purchase'];
    const on30: [string, string] = ['2027-01-30', '2027-01-30'];
    const days = 90 * 86_400 + 10 * 3600 + 45 * 60;
    assert.deepEqual(await bakery.lines({ metrics, date_range: on30 }), [`${days} | 1`]);
    const attribution = { lookback_days: 30 };
    assert.deepEqual(await bakery.lines({ metrics, date_range: on30, attribution }), [
      'null | null',
    ]);
  });
});

describe('customers who are one person', () => {
  // February 2027: eve pays on her phone, on her laptop, and by e-mail alone; fay pays once.
  const february: [string, string] = ['2027-02-01', '2027-02-28'];
  const inFebruary = (id: string, day: number, more: object) => {
    const made = payment(id, day, 10_00n, more);
    const at = Date.parse(`2027-02-${String(day).padStart(2, '0')}T11:00:00+01:00`);
    return { ...made, occurred_at: at, paid_at: at };
  };
  it('count once, and are new once', async () => {
    await bakery.addPayments([
      inFebruary('e-1', 1, { visitor_id: 'eve-phone', email: 'eve@x' }),
      inFebruary('e-2', 2, { visitor_id: 'eve-laptop', customer_id: 'c9' }),
      inFebruary('e-3', 3, { email: 'eve@x' }),
      inFebruary('f-1', 4, { visitor_id: 'fay' }),
    ]);
    await bakery.addPersons([
      ['visitor', 'eve-laptop', 'eve-phone'],
      ['transaction', 'e-3', 'eve-phone'],
    ]);
    const metrics = ['customers', 'new_customers', 'revenue_per_customer'];
    assert.deepEqual(await bakery.lines({ metrics, date_range: february }), ['2 | 2 | 20.00']);
  });
});

describe('by payment', () => {
  const until: [string, string] = ['2027-01-01', '2027-01-22'];
  const by = (dimension: string) =>
    bakery.lines({ metrics: ['revenue', 'payments'], dimensions: [dimension], date_range: until });
  it('money is broken down by product', async () => {
    assert.deepEqual(await by('payment:product'), ['(none) | 46.00 | 3', 'loaf club | 35.00 | 3']);
  });
  it('money is broken down by provider', async () => {
    assert.deepEqual(await by('payment:provider'), ['(none) | 45.00 | 4', 'stripe | 36.00 | 2']);
  });
  it('money is broken down by renewals', async () => {
    assert.deepEqual(await by('payment:renewal'), ['new | 66.00 | 5', 'renewal | 15.00 | 1']);
  });
  it('money is broken down by the currency that was paid', async () => {
    const lines = await bakery.lines({ metrics: ['payments'], dimensions: ['payment:currency'] });
    assert.deepEqual(lines, ['EUR | 6', 'USD | 1']);
  });
  it('filters and visits go together', async () => {
    assert.deepEqual(
      await bakery.lines({
        metrics: ['revenue'],
        dimensions: ['visit:source', 'payment:renewal'],
        filters: [['is', 'payment:product', ['loaf club']]],
        date_range: until,
      }),
      ['Unattributed | new | 20.00', 'Unattributed | renewal | 15.00'],
    );
  });
  it('metrics of visitors are refused, as they have no product', async () => {
    const faults = await bakery.faults({
      metrics: ['revenue', 'visitors', 'revenue_per_visitor'],
      filters: [['is', 'payment:product', ['loaf club']]],
    });
    assert.deepEqual(
      faults.map((fault) => fault.split(', as it')[0]),
      [
        '/metrics/1: visitors cannot be broken down or filtered by payment:product',
        '/metrics/2: revenue_per_visitor cannot be broken down or filtered by payment:product',
      ],
    );
  });
});
