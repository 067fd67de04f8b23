import fc from 'fast-check';
import type { EventRow } from '#contract/rows/event-row.ts';
import { HOUR_MS } from '#domain/time/durations.ts';
import type { WorldPayment } from './open-warehouse.ts';
import type { CohortWorld } from './reference-cohorts.ts';

/** The clocks of Europe go forward and back, and February comes, within 160 days from here. */
const EPOCH = Date.parse('2025-10-15T00:00:00Z');
const VISITORS = ['ann', 'bob', 'cat', 'dan'] as const;

/** So many hours after the epoch; many on the last days of months and at midnight in Berlin. */
const anyHours = fc.oneof(
  fc.integer({ min: 0, max: 160 * 24 }),
  fc.constantFrom(14, 45, 76, 107, 135, 166).map((day) => day * 24 - 48),
  fc.constantFrom(17, 47, 78, 109, 137).map((day) => day * 24 - 1),
);
const anyRefund = fc.record({ afterHours: fc.integer({ min: 1, max: 900 }), share: fc.nat(100) });

/** A world up to a random now, with a few visitors, of whom some are one person. */
export const anyCohortWorld = fc.record({
  nowHours: fc.integer({ min: 40 * 24, max: 165 * 24 }),
  visits: fc.array(
    fc.record({
      visitorId: fc.constantFrom(...VISITORS),
      hours: anyHours,
      source: fc.constantFrom('Direct', 'Google', 'Newsletter'),
    }),
    { maxLength: 12 },
  ),
  payments: fc.array(
    fc.record({
      visitorId: fc.constantFrom(...VISITORS, '', 'stranger'),
      customerId: fc.constantFrom('', 'c1'),
      hours: anyHours,
      amountMinor: fc.oneof(fc.constant(0n), fc.bigInt(1n, 30n), fc.bigInt(1n, 10n ** 12n)),
      currency: fc.constantFrom('EUR', 'EUR', 'USD', 'KRW'),
      product: fc.constantFrom('tea', 'tea', 'pot'),
      refunds: fc.array(anyRefund, { maxLength: 2 }),
    }),
    { maxLength: 8 },
  ),
  persons: fc.tuple(
    ...VISITORS.slice(1).map((visitor) => fc.constantFrom(visitor, 'ann', 'ann', '~7')),
  ),
  payer: fc.constantFrom(undefined, 'ann', '~7'),
});
type Drawn = typeof anyCohortWorld extends fc.Arbitrary<infer W> ? W : never;

/** The world that was drawn, and its now. Nothing happens later. */
export function toCohortWorld(drawn: Drawn): { world: CohortWorld; now: number } {
  const now = EPOCH + drawn.nowHours * HOUR_MS;
  const toAt = (hours: number) => Math.min(EPOCH + hours * HOUR_MS, now);
  const payments = drawn.payments.map(({ hours, refunds, ...payment }, index) => {
    const at = toAt(hours);
    let left = payment.amountMinor;
    return {
      ...payment,
      id: `p${index}`,
      at,
      refunds: refunds
        .toSorted((a, b) => a.afterHours - b.afterHours)
        .flatMap(({ afterHours, share }) => {
          const amountMinor = (left * BigInt(share)) / 100n;
          left -= amountMinor;
          return amountMinor === 0n ? [] : [{ at: toAt(hours + afterHours), amountMinor }];
        }),
    };
  });
  const persons = new Map(
    drawn.persons.map((person, index): [string, string] => [
      `visitor ${VISITORS[index + 1]}`,
      person,
    ]),
  );
  if (drawn.payer !== undefined) persons.set('transaction p0', drawn.payer);
  const visits = drawn.visits.map(({ hours, ...visit }) => ({ ...visit, at: toAt(hours) }));
  // Of two visits of a person at one instant the first counts that was recorded first.
  return { now, world: { visits, payments, persons } };
}

let visitNumber = 0;

/** The world's visits as the warehouse has them. Ids ascend. */
export function toCohortEvents(siteId: string, { visits }: CohortWorld): EventRow[] {
  return visits.map(({ visitorId, at, source }) => {
    visitNumber += 1;
    return {
      site_id: siteId,
      occurred_at: at,
      accepted_at: at,
      event_id: crypto.randomUUID(),
      type: 'pageview',
      visitor_id: visitorId,
      source: source === 'Direct' ? '' : source,
      visit_id: `00000000-0000-7000-8000-${visitNumber.toString(16).padStart(12, '0')}`,
      visit_started_at: at,
    };
  });
}

/** Its payments and refunds. */
export function toCohortPayments(siteId: string, { payments }: CohortWorld): WorldPayment[] {
  return payments.flatMap((payment): WorldPayment[] => {
    const row: WorldPayment = {
      site_id: siteId,
      kind: 'payment',
      transaction_id: payment.id,
      occurred_at: payment.at,
      paid_at: payment.at,
      amount_minor: payment.amountMinor,
      currency: payment.currency,
      visitor_id: payment.visitorId,
      customer_id: payment.customerId,
      product: payment.product,
    };
    const refunds = payment.refunds.map(
      ({ at, amountMinor }, index): WorldPayment => ({
        ...row,
        kind: 'refund',
        transaction_id: `${payment.id}-refund-${index}`,
        original_transaction_id: payment.id,
        occurred_at: at,
        amount_minor: amountMinor,
      }),
    );
    return [row, ...refunds];
  });
}
