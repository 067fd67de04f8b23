import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DAY_MS } from '#domain/time/durations.ts';
import { BAKERY } from '../worlds/bakery.ts';
import { type Bakery, openBakery } from '../worlds/open-bakery.ts';

/**
 * May 2027, by days: ida is in Austria on the 1st, on her laptop in Italy on the 10th, and nobody knows
 * where on the 12th. She pays 10.00 on the 5th, 20.00 on the 20th, and gets 20.00 back on the 28th, when
 * she is in Spain. jon pays 5.00 five minutes before his first visit, in France, and 3.00 a month earlier.
 * A crawler in Japan comes, and somebody unknown pays 1.00.
 */
const MAY = Date.parse('2027-05-01T10:00:00Z');
const on = (day: number) => MAY + (day - 1) * DAY_MS;

const VISITS = [
  { visitor: 'ida', at: on(1), country: 'AT' },
  { visitor: 'ida-laptop', at: on(10), country: 'IT' },
  { visitor: 'ida', at: on(12), country: '' },
  { visitor: 'ida', at: on(27), country: 'ES' },
  { visitor: 'jon', at: on(15), country: 'FR' },
  { visitor: 'ida', at: on(4), country: 'JP', bot_class: 'declared' },
];
const PAYMENTS = [
  { transaction_id: 'i-1', visitor_id: 'ida', at: on(5), amount_minor: 10_00n },
  { transaction_id: 'i-2', visitor_id: 'ida', at: on(20), amount_minor: 20_00n },
  { transaction_id: 'j-0', visitor_id: 'jon', at: on(15) - 30 * DAY_MS, amount_minor: 3_00n },
  { transaction_id: 'j-1', visitor_id: 'jon', at: on(15) - 300_000, amount_minor: 5_00n },
  { transaction_id: 'n-1', visitor_id: '', at: on(16), amount_minor: 1_00n },
];
const OF_PAYMENT = { site_id: BAKERY.id, kind: 'payment', currency: 'EUR' } as const;

describe('payments by country', () => {
  let bakery: Bakery;
  before(async () => {
    bakery = await openBakery();
    await bakery.addEvents(
      VISITS.map(({ visitor, at, ...more }, index) => ({
        ...{ site_id: BAKERY.id, type: 'pageview', path: '/', visitor_id: visitor },
        ...{ occurred_at: at, accepted_at: at, visit_started_at: at },
        event_id: crypto.randomUUID(),
        visit_id: `00000000-0000-7000-9000-00000000000${index}`,
        ...more,
      })),
    );
    await bakery.addPersons([['visitor', 'ida-laptop', 'ida']]);
    const payments = PAYMENTS.map(({ at, ...payment }) => ({
      ...{ ...OF_PAYMENT, ...payment, occurred_at: at, paid_at: at },
    }));
    const refund = {
      ...OF_PAYMENT,
      kind: 'refund',
      transaction_id: 'i-2',
      visitor_id: 'ida',
    } as const;
    await bakery.addPayments([
      ...payments,
      { ...refund, occurred_at: on(28), paid_at: on(20), amount_minor: 20_00n },
    ]);
  });
  after(() => bakery.close());

  const date_range: [string, string] = ['2027-04-01', '2027-05-31'];
  const metrics = ['gross_revenue', 'refunds', 'payments'];

  it('are where the payer was at the time, as the latest visit that knows it says', async () => {
    assert.deepEqual(
      await bakery.lines({
        ...{ metrics, date_range, dimensions: ['payment:country'] },
        order_by: [['payment:country', 'asc']],
      }),
      [
        '(none) | 4.00 | 0.00 | 2',
        'AT | 10.00 | 0.00 | 1',
        'FR | 5.00 | 0.00 | 1',
        'IT | 20.00 | 20.00 | 1',
      ],
    );
  });

  it('are found by it, whatever visit is credited', async () => {
    assert.deepEqual(
      await bakery.lines({
        ...{ metrics, date_range, dimensions: ['visit:country'] },
        filters: [['is', 'payment:country', ['IT']]],
        attribution: { model: 'last_touch' },
      }),
      ['(none) | 20.00 | 20.00 | 1'],
    );
  });

  it('stand beside the currency in one query', async () => {
    assert.deepEqual(
      await bakery.lines({
        ...{
          metrics: ['revenue'],
          date_range,
          dimensions: ['payment:currency', 'payment:country'],
        },
        filters: [['is_not', 'payment:country', ['(none)']]],
      }),
      ['EUR | AT | 10.00', 'EUR | FR | 5.00', 'EUR | IT | 0.00'],
    );
  });

  it('may be a bot’s, whose visits are then the way to the purchase', async () => {
    const at = Date.parse('2027-06-02T10:00:00Z');
    await bakery.addEvents([
      {
        ...{ site_id: BAKERY.id, type: 'pageview', path: '/', visitor_id: 'agent' },
        ...{ occurred_at: at, accepted_at: at, visit_started_at: at, bot_class: 'ai' },
        event_id: crypto.randomUUID(),
        visit_id: '00000000-0000-7000-9000-0000000000aa',
      },
    ]);
    await bakery.addPayments([
      {
        ...{ ...OF_PAYMENT, transaction_id: 'agent-1', visitor_id: 'agent', amount_minor: 1_00n },
        ...{ occurred_at: at + 60_000, paid_at: at + 60_000 },
      },
    ]);
    const asked = {
      metrics: ['visits_to_purchase', 'time_to_purchase'],
      date_range: ['2027-06-01', '2027-06-30'] as [string, string],
    };
    assert.deepEqual(await bakery.lines(asked), ['null | null']);
    assert.deepEqual(await bakery.lines({ ...asked, dimensions: ['visit:bot_class'] }), [
      'ai | 1 | 60',
    ]);
  });
});
