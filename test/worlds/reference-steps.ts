import type { EventRow } from '#contract/rows/event-row.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import type { WorldPayment } from './open-warehouse.ts';
import type { StepWorld } from './step-world.ts';
import { type EventTouch, touchesOf } from './touches-of.ts';

const VISIT_GAP_MS = 1_800_000;

/** Something that somebody did, in a visit or in none. */
export type Deed = {
  readonly who: string;
  readonly at: number;
  /** When it was recorded: a payment of which only the day is known is taken for its end. */
  readonly occurredAt: number;
  readonly type: 'page' | 'goal' | 'payment';
  /** Path, name of the goal, or the kind of payment. */
  readonly name: string;
  readonly visit: ReferenceVisit | undefined;
  /** What is left of a payment after all that was paid back. */
  readonly revenueMinor: bigint;
};

/** A visit of people. */
export type ReferenceVisit = {
  readonly id: string;
  readonly who: string;
  readonly source: string;
  readonly touches: readonly EventTouch[];
  readonly openedAt: number;
  readonly lastEventAt: number;
};

/** All that people did, in no order: slow and obvious, straight from docs/reports.md. */
export function deedsOf(world: StepWorld, by: 'person' | 'visitor'): Deed[] {
  const visits = visitsOf(world, by);
  const whoOf = (visitorId: string) =>
    by === 'visitor' ? visitorId : (world.persons.get(`visitor ${visitorId}`) ?? visitorId);
  const events = world.events
    .filter((event) => (event.bot_class ?? '') === '')
    .map(
      (event): Deed => ({
        who: whoOf(event.visitor_id),
        at: event.occurred_at,
        occurredAt: event.occurred_at,
        type: event.type === 'pageview' ? 'page' : 'goal',
        name: (event.type === 'pageview' ? event.path : event.name) ?? '',
        visit: visits.find(({ id }) => id === event.visit_id),
        revenueMinor: 0n,
      }),
    );
  const payments = world.payments
    .filter(({ kind }) => kind === 'payment')
    .filter((payment) => payment.amount_minor > 0n || isTrial(payment, world.payments))
    .map((payment): Deed => {
      const visitorId = payment.visitor_id ?? '';
      const ofNobody = world.persons.get(`transaction ${payment.transaction_id}`) ?? '';
      const who = visitorId !== '' ? whoOf(visitorId) : by === 'visitor' ? '' : ofNobody;
      const at = untilOf(payment.paid_at);
      return {
        ...{ who, at, occurredAt: payment.paid_at, type: 'payment', name: kindOf(payment) },
        visit: openVisit(visits, who, at),
        revenueMinor: netOf(payment, world.payments),
      };
    });
  return [...events, ...payments].filter(({ who }) => who !== '');
}

/** Until when it counts: a payment at midnight is known by its date only (the worlds' sites are in UTC). */
export function untilOf(paidAt: number): number {
  return paidAt % DAY_MS === 0 ? paidAt + DAY_MS - 1 : paidAt;
}

/** Whether a payment of 0 is the first of its subscription, if it has one. */
function isTrial(payment: WorldPayment, payments: readonly WorldPayment[]): boolean {
  const { subscription_id: id } = payment;
  if (id === undefined) return true;
  const [first] = payments
    .filter((each) => each.kind === 'payment' && each.amount_minor === 0n)
    .filter((each) => each.subscription_id === id)
    .toSorted(
      (a, b) => a.occurred_at - b.occurred_at || (a.transaction_id < b.transaction_id ? -1 : 1),
    );
  return first === payment;
}

function kindOf({ amount_minor, renewal }: WorldPayment): string {
  if (amount_minor === 0n) return 'trial';
  return renewal === 1 ? 'renewal' : 'new';
}

/** The visits of people. */
export function visitsOf(
  { events, persons }: StepWorld,
  by: 'person' | 'visitor',
): ReferenceVisit[] {
  const people = events.filter((event) => (event.bot_class ?? '') === '');
  const ofVisits = Map.groupBy(people, (event) => event.visit_id ?? '');
  ofVisits.delete('');
  return [...ofVisits].map(([id, own]) => toVisit(id, own, by === 'person' ? persons : new Map()));
}

function toVisit(
  id: string,
  own: readonly EventRow[],
  persons: ReadonlyMap<string, string>,
): ReferenceVisit {
  const inOrder = own.toSorted((a, b) => a.occurred_at - b.occurred_at);
  const [first] = inOrder;
  const visitorId = first?.visitor_id ?? '';
  const touches = touchesOf(own);
  const extending = own.filter((event) => event.extends_visit !== 0);
  return {
    id,
    who: persons.get(`visitor ${visitorId}`) ?? visitorId,
    source: touches[0]?.source ?? 'Direct',
    touches,
    openedAt: Math.min(first?.visit_started_at ?? 0, first?.occurred_at ?? 0),
    lastEventAt: Math.max(...extending.map(({ occurred_at }) => occurred_at)),
  };
}

function openVisit(
  visits: readonly ReferenceVisit[],
  who: string,
  at: number,
): ReferenceVisit | undefined {
  const last = visits
    .filter((visit) => visit.who === who && who !== '' && visit.openedAt <= at)
    .toSorted((a, b) => b.openedAt - a.openedAt || (a.id < b.id ? -1 : 1))[0];
  return last !== undefined && last.lastEventAt + VISIT_GAP_MS > at ? last : undefined;
}

/** What is left of a payment after all that was paid back, in euros. */
export function netOf(payment: WorldPayment, all: readonly WorldPayment[]): bigint {
  const paidBack = all
    .filter(({ original_transaction_id: id }) => id === payment.transaction_id)
    .reduce((sum, refund) => sum + refund.amount_minor, 0n);
  return toEuros(payment.amount_minor, payment) - toEuros(paidBack, payment);
}

/** A euro is 1.25 dollars on every day; nobody knows what a won is worth. */
function toEuros(minor: bigint, { currency }: WorldPayment): bigint {
  if (currency === 'KRW') return 0n;
  return currency === 'EUR' ? minor : (8n * minor + 5n) / 10n;
}
