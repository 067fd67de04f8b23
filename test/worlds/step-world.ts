import fc from 'fast-check';
import type { EventRow } from '#contract/rows/event-row.ts';
import { HOUR_MS, MINUTE_MS } from '#domain/time/durations.ts';
import type { WorldPayment } from './open-warehouse.ts';

/** What happened on one site, as the warehouse has it, and who is who: by `visitor ID` and `transaction ID`. */
export type StepWorld = {
  readonly events: readonly EventRow[];
  readonly payments: readonly WorldPayment[];
  readonly persons: ReadonlyMap<string, string>;
};

const EPOCH = Date.parse('2026-10-01T00:00:00Z');
const VISITORS = ['ann', 'bob', 'cat'] as const;
const SOURCES = ['', 'Google', 'Bing'] as const;
const PATHS = ['/', '/a', '/docs/x', '/docs/x/y'] as const;
const GOALS = ['signup', 'sign_in'] as const;

/** Few instants, so that what visitors do meets at the millisecond. */
export const anyInstant = fc.integer({ min: 0, max: 8 }).map((step) => EPOCH + step * 10 * HOUR_MS);
const anyPause = fc.constantFrom(0, 0, 1, MINUTE_MS, 29 * MINUTE_MS, 40 * MINUTE_MS, 10 * HOUR_MS);
const anyDeed = fc.record({
  what: fc.constantFrom(...PATHS, ...PATHS, ...GOALS),
  pauseMs: anyPause,
  extends: fc.constantFrom(1, 1, 0),
  /** The source of a campaign tag, as it may come in the middle of a visit. */
  tag: fc.constantFrom('', '', '', 'Google', 'Newsletter'),
});
const anyVisit = fc.record({
  visitor: fc.constantFrom(...VISITORS, 'bot'),
  at: anyInstant,
  source: fc.constantFrom(...SOURCES),
  deeds: fc.array(anyDeed, { minLength: 1, maxLength: 5 }),
});
const anyPayment = fc.record({
  visitor: fc.constantFrom(...VISITORS, ...VISITORS, ''),
  at: fc.tuple(anyInstant, anyPause).map(([at, pauseMs]) => at + pauseMs),
  amountMinor: fc.oneof(fc.constant(0n), fc.bigInt(1n, 100n), fc.bigInt(1n, 10n ** 12n)),
  currency: fc.constantFrom('EUR', 'EUR', 'USD', 'KRW'),
  isRenewal: fc.boolean(),
  isSubscribed: fc.boolean(),
  paidBack: fc.array(fc.nat(60), { maxLength: 2 }),
});
const anyWhose = fc.constantFrom('bob', 'ann', 'ann', '~7');

/** A small site: a few visitors, what they do in visits and outside, and what they pay. */
export const anyDrawnWorld = fc.record({
  visits: fc.array(anyVisit, { maxLength: 6 }),
  goals: fc.array(
    fc.record({
      visitor: fc.constantFrom(...VISITORS),
      at: anyInstant,
      name: fc.constantFrom(...GOALS),
    }),
    { maxLength: 2 },
  ),
  payments: fc.array(anyPayment, { maxLength: 4 }),
  persons: fc.tuple(anyWhose, fc.constantFrom(undefined, 'ann', '~7')),
});
export type DrawnWorld = typeof anyDrawnWorld extends fc.Arbitrary<infer World> ? World : never;

/** The worlds of one site, each with visitors and sources of its own; all share Direct. */
export function toStepWorld(siteId: string, drawn: readonly DrawnWorld[]): StepWorld {
  return {
    events: drawn.flatMap((world, number) => eventsOf(siteId, world, number)),
    payments: drawn.flatMap((world, number) => paymentsOf(siteId, world, number)),
    persons: new Map(drawn.flatMap(({ persons }, number) => personsOf(persons, number))),
  };
}

/** Ids that ascend: of visits that begin at the same instant the first counts. */
let visitNumber = 0;

function eventsOf(siteId: string, { visits, goals }: DrawnWorld, number: number): EventRow[] {
  const event = (what: string, visitor: string, at: number): EventRow => ({
    site_id: siteId,
    occurred_at: at,
    accepted_at: at,
    event_id: crypto.randomUUID(),
    visitor_id: `${number}-${visitor}`,
    ...(what.startsWith('/') ? { type: 'pageview', path: what } : { type: 'goal', name: what }),
  });
  const inVisits = visits.flatMap(({ visitor, at, source, deeds }) => {
    visitNumber += 1;
    const visitId = `00000000-0000-7000-8000-${visitNumber.toString(16).padStart(12, '0')}`;
    let now = at;
    return deeds.map((deed, index): EventRow => {
      now += index === 0 ? 0 : deed.pauseMs;
      return {
        ...event(deed.what, visitor, now),
        visit_id: visitId,
        visit_started_at: at,
        extends_visit: index === 0 ? 1 : (deed.extends as 0 | 1),
        ...(index === 0 && source !== '' && { source: `${number} ${source}` }),
        // Of two at the same instant, nobody says which is first.
        ...(index > 0 &&
          deed.pauseMs > 0 &&
          deed.tag !== '' && { source: `${number} ${deed.tag}` }),
        ...(visitor === 'bot' && { bot_class: 'declared' }),
      };
    });
  });
  return [...inVisits, ...goals.map(({ visitor, at, name }) => event(name, visitor, at))];
}

function paymentsOf(siteId: string, { payments }: DrawnWorld, number: number): WorldPayment[] {
  return payments.flatMap((payment, index): WorldPayment[] => {
    const row: WorldPayment = {
      site_id: siteId,
      kind: 'payment',
      transaction_id: `${number}-p${index}`,
      occurred_at: payment.at,
      paid_at: payment.at,
      amount_minor: payment.amountMinor,
      currency: payment.currency,
      visitor_id: payment.visitor === '' ? '' : `${number}-${payment.visitor}`,
      renewal: payment.isRenewal ? 1 : 0,
      ...(payment.isSubscribed && { subscription_id: `${number}-plan` }),
    };
    const refunds = payment.paidBack.map(
      (share, part): WorldPayment => ({
        ...row,
        kind: 'refund',
        transaction_id: `${row.transaction_id}-r${part}`,
        original_transaction_id: row.transaction_id,
        occurred_at: payment.at + (part + 1) * 200 * HOUR_MS,
        amount_minor: (payment.amountMinor * BigInt(share)) / 120n,
      }),
    );
    return [row, ...refunds.filter((refund) => refund.amount_minor > 0n)];
  });
}

/** Who bob is: himself, ann, or somebody who is no visitor; and whose the first payment is that names nobody. */
function personsOf([bob, payer]: DrawnWorld['persons'], number: number): [string, string][] {
  const id = (name: string) => (name.startsWith('~') ? `${name}${number}` : `${number}-${name}`);
  return [
    [`visitor ${number}-bob`, id(bob)],
    ...(payer === undefined ? [] : [[`transaction ${number}-p0`, id(payer)] as [string, string]]),
  ];
}
