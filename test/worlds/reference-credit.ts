import type { AttributionModel } from '#domain/attribution/models.ts';
import {
  type RemovalEffects,
  removalEffects,
  type Transition,
} from '#domain/attribution/removal-effects.ts';
import { splitAmount } from '#domain/money/split-amount.ts';
import { findPath, type Touch, toWeights } from './reference-models.ts';

/** A touch of a visit of people, and when the visit began. */
export type CreditTouch = Touch & {
  readonly visitorId: string;
  readonly source: string;
  readonly visitedAt: number;
};
/** A payment with what was paid back of it, in the order of time. */
export type CreditPayment = {
  readonly id: string;
  readonly visitorId: string;
  readonly paidAt: number;
  readonly amountMinor: bigint;
  readonly currency: 'EUR' | 'USD' | 'KRW';
  readonly isRenewal: boolean;
  readonly refunds: readonly { readonly at: number; readonly amountMinor: bigint }[];
};
/** A goal that was reached. */
export type CreditGoal = { readonly visitorId: string; readonly at: number };

/** What happened on one site, and who is who there: persons by `visitor ID` and `transaction ID`. */
export type CreditWorld = {
  readonly touches: readonly CreditTouch[];
  readonly payments: readonly CreditPayment[];
  readonly goals: readonly CreditGoal[];
  readonly persons: ReadonlyMap<string, string>;
};

/** What is asked of it. */
export type CreditQuery = {
  readonly startsAt: number;
  readonly endsAt: number;
  readonly model: AttributionModel;
  readonly lookbackDays: number | null;
};

/** What a source is credited with; payments and conversions in ten-thousandths. */
export type CreditRow = { revenueMinor: bigint; payments: bigint; conversions: bigint };

type Fact = {
  readonly personId: string;
  readonly creditAt: number;
  readonly isSuccess: boolean;
  readonly add: (row: CreditRow, split: (amount: bigint) => bigint) => void;
};

/** Rows by source, slow and obvious: each fact is split by itself, and its parts are added up. */
export function creditBySource(world: CreditWorld, query: CreditQuery) {
  const rows = new Map<string, CreditRow>();
  for (const facts of [paymentsOf(world, query), goalsOf(world, query)]) {
    const effects = learn(world, facts, query);
    for (const fact of facts.within) {
      const path = pathOf(world, fact, query);
      const weights = path.length > 0 ? toWeights(query.model, path, effects) : [1];
      for (const [index, weight] of weights.entries()) {
        const row = rowOf(rows, path[index]?.source ?? 'Unattributed', weight);
        fact.add(row, (amount) => splitAmount(amount, weights)[index] ?? 0n);
      }
    }
  }
  return rows;
}

/** The row of a source; one that is thrown away where nothing is given. */
function rowOf(rows: Map<string, CreditRow>, source: string, weight: number): CreditRow {
  const row = rows.get(source) ?? { revenueMinor: 0n, payments: 0n, conversions: 0n };
  if (weight > 0) rows.set(source, row);
  return row;
}

type Facts = { readonly within: readonly Fact[]; readonly everybody: ReadonlySet<string> };

function isWithin(at: number, { startsAt, endsAt }: CreditQuery): boolean {
  return at >= startsAt && at < endsAt;
}

function paymentsOf({ payments, persons }: CreditWorld, query: CreditQuery): Facts {
  const all = payments.map((payment) => ({
    payment,
    personId: payment.visitorId
      ? personOf(persons, payment.visitorId)
      : (persons.get(`transaction ${payment.id}`) ?? ''),
    // A payment at midnight is known by its date only (the worlds' sites are in UTC).
    creditAt: payment.paidAt + (payment.paidAt % 86_400_000 === 0 ? 86_400_000 - 1 : 0),
  }));
  const made = all
    .filter(({ payment }) => isWithin(payment.paidAt, query))
    .map(({ payment, personId, creditAt }): Fact => {
      return {
        personId,
        creditAt,
        isSuccess: payment.amountMinor > 0n && !payment.isRenewal,
        add(row, split) {
          row.payments += split(10_000n);
          row.revenueMinor += split(toEuros(payment.amountMinor, payment));
        },
      };
    });
  const paidBack = all.flatMap(({ payment, personId, creditAt }) =>
    payment.refunds.flatMap((refund, index): Fact[] => {
      if (!isWithin(refund.at, query)) return [];
      const before = payment.refunds.slice(0, index).reduce((sum, r) => sum + r.amountMinor, 0n);
      const add: Fact['add'] = (row, split) => {
        row.revenueMinor -= split(toEuros(before + refund.amountMinor, payment));
        row.revenueMinor += split(toEuros(before, payment));
      };
      return [{ personId, creditAt, isSuccess: false, add }];
    }),
  );
  const buyers = all.filter(
    ({ payment }) => isWithin(payment.paidAt, query) && payment.amountMinor > 0n,
  );
  return {
    within: [...made, ...paidBack],
    everybody: new Set(buyers.map(({ personId }) => personId)),
  };
}

function goalsOf({ goals, persons }: CreditWorld, query: CreditQuery): Facts {
  const within = goals
    .filter(({ at }) => isWithin(at, query))
    .map(({ visitorId, at }): Fact => {
      const personId = personOf(persons, visitorId);
      const add: Fact['add'] = (row, split) => {
        row.conversions += split(10_000n);
      };
      return { personId, creditAt: at, isSuccess: true, add };
    });
  return { within, everybody: new Set(within.map(({ personId }) => personId)) };
}

function personOf(persons: CreditWorld['persons'], visitorId: string): string {
  return persons.get(`visitor ${visitorId}`) ?? visitorId;
}

/** A euro is 1.25 dollars on every day; nobody knows what a won is worth. */
function toEuros(minor: bigint, { currency }: CreditPayment): bigint {
  if (currency === 'KRW') return 0n;
  return currency === 'EUR' ? minor : (8n * minor + 5n) / 10n;
}

function touchesOf({ touches, persons }: CreditWorld, personId: string): CreditTouch[] {
  return touches.filter(({ visitorId }) => personOf(persons, visitorId) === personId);
}

function pathOf(world: CreditWorld, fact: Fact, { lookbackDays }: CreditQuery) {
  if (fact.personId === '') return [];
  return findPath(touchesOf(world, fact.personId), fact.creditAt, lookbackDays);
}

/** The chain of the period: a path for each success, and one for each person without any. */
function learn(world: CreditWorld, facts: Facts, query: CreditQuery): RemovalEffects {
  const good = facts.within
    .filter(({ isSuccess }) => isSuccess)
    .map((fact) => ({ path: pathOf(world, fact, query), isBought: true }));
  const others = new Set(world.touches.map(({ visitorId }) => personOf(world.persons, visitorId)));
  const bad = [...others.difference(facts.everybody)].map((personId) => {
    // Of two touches at the same millisecond the first by the name of the channel counts.
    const touches = touchesOf(world, personId)
      .filter(({ visitedAt }) => isWithin(visitedAt, query))
      .toSorted((a, b) => (a.channel < b.channel ? -1 : 1));
    return { path: findPath(touches, Number.MAX_SAFE_INTEGER, null), isBought: false };
  });
  return removalEffects([...good, ...bad].flatMap(({ path, isBought }) => toSteps(path, isBought)));
}

function toSteps(path: readonly Touch[], isBought: boolean): Transition[] {
  return path.flatMap(({ channel }, index): Transition[] => {
    const next = path[index + 1]?.channel;
    const onward: Transition =
      next === undefined
        ? { of: 'end', from: channel, isBought, count: 1 }
        : { of: 'step', from: channel, to: next, count: 1 };
    return index === 0 ? [{ of: 'start', to: channel, count: 1 }, onward] : [onward];
  });
}
