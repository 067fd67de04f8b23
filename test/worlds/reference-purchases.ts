import type { WorldPayment } from './open-warehouse.ts';
import { findPath } from './reference-models.ts';
import { netOf, untilOf, visitsOf } from './reference-steps.ts';
import type { StepWorld } from './step-world.ts';

/** What is asked of a world. */
export type ReferencePurchases = {
  readonly startsAt: number;
  readonly endsAt: number;
  readonly model: 'first_touch' | 'last_touch';
  readonly lookbackDays: number | null;
};

/** A first payment: who is credited with it, and the way to it; no visits when nothing is known of it. */
export type ReferencePurchase = {
  readonly source: string;
  readonly revenueMinor: bigint;
  readonly visits: number;
  readonly ms: number;
};

/** The first payment above 0 of everybody who made it in the period. */
export function purchasesOf(world: StepWorld, asked: ReferencePurchases): ReferencePurchase[] {
  const { startsAt, endsAt } = asked;
  const paid = world.payments.filter(
    ({ kind, amount_minor }) => kind === 'payment' && amount_minor > 0n,
  );
  const byCustomer = Map.groupBy(paid, (payment) => {
    const who = payerOf(payment, world);
    return who === '' ? `payment ${payment.transaction_id}` : `person ${who}`;
  });
  const firsts = [...byCustomer.values()].flatMap((own) => own.toSorted(byTime).slice(0, 1));
  return firsts
    .filter(({ occurred_at: at }) => at >= startsAt && at < endsAt)
    .map((payment) => toPurchase(payment, world, asked));
}

function payerOf(payment: WorldPayment, { persons }: StepWorld): string {
  const { visitor_id: visitorId = '' } = payment;
  if (visitorId !== '') return persons.get(`visitor ${visitorId}`) ?? visitorId;
  return persons.get(`transaction ${payment.transaction_id}`) ?? '';
}

function byTime(a: WorldPayment, b: WorldPayment): number {
  return a.occurred_at - b.occurred_at || (a.transaction_id < b.transaction_id ? -1 : 1);
}

function toPurchase(
  payment: WorldPayment,
  world: StepWorld,
  { model, lookbackDays }: ReferencePurchases,
): ReferencePurchase {
  const who = payerOf(payment, world);
  const touches = visitsOf(world, 'person')
    .filter((visit) => visit.who === who && who !== '')
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .flatMap(({ id, touches }) => touches.map((touch) => ({ ...touch, id })));
  const creditAt = untilOf(payment.paid_at);
  const path = findPath(touches, creditAt, lookbackDays);
  const [first] = path;
  const credited = model === 'first_touch' ? first : path.at(-1);
  return {
    source: credited?.source ?? 'Unattributed',
    revenueMinor: netOf(payment, world.payments),
    visits: new Set(path.map(({ id }) => id)).size,
    ms: Math.max(0, creditAt - (first?.at ?? creditAt)),
  };
}
