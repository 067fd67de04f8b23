import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { HOUR_MS } from '#domain/time/durations.ts';
import { createReports } from '#report/reports/create-reports.ts';
import { openWorldWarehouse, type WorldWarehouse } from '../../worlds/open-warehouse.ts';

const SITE = { id: 'site_persons', timezone: 'UTC', currency: 'EUR' };
const NOON = Date.parse('2026-11-20T12:00:00Z');

/**
 * Anna comes on the 20th by phone from Google at 8 and by laptop from a newsletter at 10; ben at 9 from
 * Hacker News. At noon all of these are paid:
 *
 * - `t-laptop` by the laptop, `t-ben` by ben;
 * - `t-renewal`, of which only the customer is known: anna's; its refund of 1.00 at 13;
 * - `t-nobody`, of a customer of whom no visitor is known yet.
 */
const VISITS = [
  ['phone', 8, 'Google'],
  ['laptop', 10, 'Newsletter'],
  ['ben', 9, 'Hacker News'],
] as const;
const PAYMENTS = [
  ['t-laptop', 'laptop', 10_00n],
  ['t-ben', 'ben', 20_00n],
  ['t-renewal', '', 5_00n],
  ['t-nobody', '', 7_00n],
] as const;

describe('credit by persons', () => {
  let world: WorldWarehouse;
  before(async () => {
    world = await openWorldWarehouse();
    await world.addEvents(VISITS.map(toPageview));
    const payments = PAYMENTS.map(([id, visitor, amount]) => toPayment(id, visitor, amount));
    const refund = {
      ...toPayment('r-renewal', '', 1_00n),
      kind: 'refund',
      original_transaction_id: 't-renewal',
      occurred_at: NOON + HOUR_MS,
    } as const;
    await world.addPayments([...payments, refund]);
  });
  after(() => world.close());

  async function revenueBySource(
    model: 'first_touch' | 'last_touch',
    filters: readonly unknown[][] = [],
  ) {
    const { breakdowns: report } = createReports({
      warehouse: world.warehouse,
      now: () => NOON + 3 * HOUR_MS,
    });
    const answer = await report.answer(SITE, {
      site_id: SITE.id,
      date_range: ['2026-11-20', '2026-11-20'],
      metrics: ['revenue', 'visitors'],
      dimensions: ['visit:source'],
      order_by: [['visit:source', 'asc']],
      filters: filters.map((filter) => [...filter]),
      attribution: { model },
    });
    assert.ok(answer.ok, JSON.stringify(answer));
    return answer.value.results.map(({ dimensions, metrics: [revenue, visitors] }) =>
      [dimensions[0], (revenue as { value: string }).value, visitors].join(' | '),
    );
  }

  it('knows nobody but visitors at first', async () => {
    assert.deepEqual(await revenueBySource('first_touch'), [
      'Google | 0.00 | 1',
      'Hacker News | 20.00 | 1',
      'Newsletter | 10.00 | 1',
      'Unattributed | 11.00 | 0',
    ]);
  });

  it('finds the customer of a renewal and of its refund', async () => {
    await world.addPersons([['transaction', 't-renewal', 'laptop']]);
    assert.deepEqual(await revenueBySource('first_touch'), [
      'Google | 0.00 | 1',
      'Hacker News | 20.00 | 1',
      'Newsletter | 14.00 | 1',
      'Unattributed | 7.00 | 0',
    ]);
  });

  it('changes the past when visitors turn out to be one person, who stay distinct visitors', async () => {
    await world.addPersons([
      ['visitor', 'laptop', 'phone'],
      ['transaction', 't-renewal', 'phone'],
    ]);
    assert.deepEqual(await revenueBySource('first_touch'), [
      'Google | 14.00 | 1',
      'Hacker News | 20.00 | 1',
      'Newsletter | 0.00 | 1',
      'Unattributed | 7.00 | 0',
    ]);
    assert.deepEqual(await revenueBySource('last_touch'), [
      'Google | 0.00 | 1',
      'Hacker News | 20.00 | 1',
      'Newsletter | 14.00 | 1',
      'Unattributed | 7.00 | 0',
    ]);
  });

  it('counts all that a person paid of whom any visitor did something', async () => {
    const isPhones = ['is', 'event:page', ['/phone']];
    assert.deepEqual(await revenueBySource('first_touch', [['has_done', isPhones]]), [
      'Google | 14.00 | 1',
    ]);
    assert.deepEqual(await revenueBySource('last_touch', [['has_done', isPhones]]), [
      'Google | 0.00 | 1',
      'Newsletter | 14.00 | 0',
    ]);
    assert.deepEqual(await revenueBySource('first_touch', [['has_not_done', isPhones]]), [
      'Hacker News | 20.00 | 1',
      'Newsletter | 0.00 | 1',
      'Unattributed | 7.00 | 0',
    ]);
  });

  it('credits a payment from before its visitor was known', async () => {
    await world.addPersons([
      ['transaction', 't-nobody', '~7'],
      ['visitor', 'ben', '~7'],
    ]);
    assert.deepEqual(await revenueBySource('first_touch'), [
      'Google | 14.00 | 1',
      'Hacker News | 27.00 | 1',
      'Newsletter | 0.00 | 1',
    ]);
  });
});

function toPageview([visitor, hour, source]: (typeof VISITS)[number], index: number) {
  const at = NOON + (hour - 12) * HOUR_MS;
  return {
    site_id: SITE.id,
    occurred_at: at,
    accepted_at: at,
    event_id: `00000000-0000-7000-8000-00000000000${index}`,
    type: 'pageview',
    visitor_id: visitor,
    visit_id: `00000000-0000-7000-9000-00000000000${index}`,
    visit_started_at: at,
    path: `/${visitor}`,
    source,
  } as const;
}

function toPayment(transactionId: string, visitorId: string, amountMinor: bigint) {
  return {
    site_id: SITE.id,
    kind: 'payment',
    transaction_id: transactionId,
    occurred_at: NOON,
    paid_at: NOON,
    amount_minor: amountMinor,
    currency: 'EUR',
    visitor_id: visitorId,
  } as const;
}
