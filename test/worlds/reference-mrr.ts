import { type CohortPayment, dayOf, toEuros } from './reference-cohorts.ts';

/** A payment that may recur. */
export type RecurringPayment = CohortPayment & {
  readonly subscriptionId: string;
  readonly isRenewal: boolean;
};
/** What was paid on one site, and who is who there: persons by `visitor ID` and `transaction ID`. */
export type MrrWorld = {
  readonly payments: readonly RecurringPayment[];
  readonly persons: ReadonlyMap<string, string>;
};

type Charge = {
  readonly customer: string;
  /** Whose charges replace each other. */
  readonly subscription: string;
  /** Whose charges are counted to know how often they come. */
  readonly series: string;
  readonly on: Temporal.PlainDate;
  readonly product: string;
  readonly price: string;
  readonly raw: bigint;
  readonly minor: bigint;
  readonly paidBackOn: Temporal.PlainDate | undefined;
};
type Term = {
  readonly from: Temporal.PlainDate;
  readonly to: Temporal.PlainDate;
  readonly minor: bigint;
};

/** By the longest gap: every so many days or months, the share of a month, the days of grace. */
const MONTHLY = { gap: 45, every: { months: 1 }, times: 1n, by: 1n, grace: 7 };
const RECURRENCES = [
  { gap: 10, every: { days: 7 }, times: 52n, by: 12n, grace: 2 },
  { gap: 20, every: { days: 14 }, times: 26n, by: 12n, grace: 3 },
  MONTHLY,
  { gap: 75, every: { months: 2 }, times: 1n, by: 2n, grace: 7 },
  { gap: 136, every: { months: 3 }, times: 1n, by: 3n, grace: 7 },
  { gap: 272, every: { months: 6 }, times: 1n, by: 6n, grace: 7 },
  { gap: 1e9, every: { months: 12 }, times: 1n, by: 12n, grace: 7 },
];

/** A row for each month: `start new expansion reactivated contraction churned end`, as `minor/customers`. */
export function referenceMrr(
  world: MrrWorld,
  query: {
    readonly from: Temporal.PlainDate;
    readonly to: Temporal.PlainDate;
    readonly now: number;
    readonly timeZone: string;
  },
): string[] {
  const { now, timeZone } = query;
  const today = dayOf(now, timeZone);
  const termsByCustomer = toTerms(toCharges(world, timeZone));
  const rows: string[] = [];
  const last = isAfter(query.to, today) ? today : query.to;
  for (let month = firstOf(query.from); !isAfter(month, last); month = nextMonth(month)) {
    const end = nextMonth(month).subtract({ days: 1 });
    const changes = [...termsByCustomer.values()].map((terms) => ({
      before: held(terms, month.subtract({ days: 1 })),
      after: held(terms, isAfter(end, today) ? today : end),
      isNew: !wasCountedBefore(terms, month),
    }));
    rows.push([month, ...COLUMNS.map((column) => columnOf(changes, column))].join(' | '));
  }
  return rows;
}

type Change = { readonly before: bigint; readonly after: bigint; readonly isNew: boolean };

/** Each by what a change adds to it. */
const COLUMNS: readonly ((change: Change) => bigint)[] = [
  ({ before }) => before,
  ({ before, after, isNew }) => (before === 0n && isNew ? after : 0n),
  ({ before, after }) => (before > 0n && after > before ? after - before : 0n),
  ({ before, after, isNew }) => (before === 0n && !isNew ? after : 0n),
  ({ before, after }) => (after > 0n && after < before ? before - after : 0n),
  ({ before, after }) => (after === 0n ? before : 0n),
  ({ after }) => after,
];

function columnOf(changes: readonly Change[], toMinor: (change: Change) => bigint): string {
  const amounts = changes.map(toMinor).filter((minor) => minor > 0n);
  return `${amounts.reduce((sum, minor) => sum + minor, 0n)}/${amounts.length}`;
}

/** What the terms that cover a day come to. */
function held(terms: readonly Term[], day: Temporal.PlainDate): bigint {
  return terms
    .filter(({ from, to }) => !isAfter(from, day) && isAfter(to, day))
    .reduce((sum, { minor }) => sum + minor, 0n);
}

/** Whether a customer held something at the end of any month before this one. */
function wasCountedBefore(terms: readonly Term[], month: Temporal.PlainDate): boolean {
  const [first = month] = terms.map(({ from }) => from).toSorted(Temporal.PlainDate.compare);
  for (let each = firstOf(first); isAfter(month, each); each = nextMonth(each)) {
    if (held(terms, nextMonth(each).subtract({ days: 1 })) > 0n) return true;
  }
  return false;
}

/** Renewals; what begins a subscription; and, without one, a payment whose next one is a renewal. In order. */
function toCharges({ payments, persons }: MrrWorld, timeZone: string): Charge[] {
  const paid = payments
    .filter(({ amountMinor }) => amountMinor > 0n)
    .toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  const nameOf = (payment: RecurringPayment) =>
    payment.subscriptionId === ''
      ? { of: `customer ${payerOf(payment, persons)}`, product: payment.product }
      : { of: `subscription ${payment.subscriptionId}`, product: '' };
  const bySeries = Map.groupBy(paid, (payment) => JSON.stringify(nameOf(payment)));
  return paid.flatMap((payment): Charge[] => {
    const { isRenewal, subscriptionId, product, currency, amountMinor: raw } = payment;
    const series = JSON.stringify(nameOf(payment));
    const own = bySeries.get(series) ?? [];
    const place = own.indexOf(payment);
    const begins = subscriptionId === '' ? own[place + 1]?.isRenewal : place === 0;
    if (!isRenewal && !begins) return [];
    return [
      {
        customer: payerOf(own[0] ?? payment, persons),
        ...{ subscription: nameOf(payment).of, series, product, price: `${raw} ${currency}`, raw },
        on: dayOf(payment.at, timeZone),
        minor: toEuros(raw, payment),
        paidBackOn: paidBackOn(payment, timeZone),
      },
    ];
  });
}

function payerOf(payment: RecurringPayment, persons: MrrWorld['persons']): string {
  const { id, visitorId, customerId, subscriptionId } = payment;
  if (visitorId !== '') return persons.get(`visitor ${visitorId}`) ?? visitorId;
  const person = persons.get(`transaction ${id}`);
  return person ?? (customerId || (subscriptionId ? ` subscription ${subscriptionId}` : ` ${id}`));
}

function paidBackOn({ amountMinor, refunds }: RecurringPayment, timeZone: string) {
  const sum = refunds.reduce((total, refund) => total + refund.amountMinor, 0n);
  if (sum < amountMinor) return undefined;
  return dayOf(Math.max(...refunds.map(({ at }) => at)), timeZone);
}

/** What each charge holds: the plan of its subscription, until the next charge or the end of its interval. */
function toTerms(charges: readonly Charge[]): Map<string, Term[]> {
  const bySeries = Map.groupBy(charges, ({ series }) => series);
  const known = [...bySeries.values()].flatMap(findIntervals);
  const intervals = new Map(known.map((each) => [each.charge, intervalOf(each, known)]));
  const recurring = new Set(known.filter((each) => each.isSure).map(planOf));
  const terms = new Map<string, Term[]>();
  for (const own of Map.groupBy(charges, ({ subscription }) => subscription).values()) {
    const dues = own.map((charge) =>
      earliest([charge.on.add(intervals.get(charge)?.every ?? {}), charge.paidBackOn]),
    );
    const plans = own.filter((charge, place) => {
      const isTopUp = own.slice(0, place).some((earlier, index) => {
        return earlier.minor > charge.minor && isAfter(dues[index] ?? charge.on, charge.on);
      });
      return recurring.has(planOf({ charge })) || !isTopUp;
    });
    for (const [place, charge] of plans.entries()) {
      const { every, times, by, grace } = intervals.get(charge) ?? MONTHLY;
      const minor = (2n * charge.minor * times + by) / (2n * by);
      if (minor === 0n) continue;
      const lapsed = charge.on.add(every).add({ days: grace });
      const to = earliest([lapsed, plans[place + 1]?.on, charge.paidBackOn]);
      terms.set(charge.customer, [
        ...(terms.get(charge.customer) ?? []),
        { from: charge.on, to, minor },
      ]);
    }
  }
  return terms;
}

function earliest(days: readonly [Temporal.PlainDate, ...(Temporal.PlainDate | undefined)[]]) {
  const known = days.filter((day) => day !== undefined).toSorted(Temporal.PlainDate.compare);
  return known[0] ?? days[0];
}

function planOf({ charge }: { readonly charge: Charge }): string {
  return `${charge.price} of ${charge.product}`;
}

/** A charge with the number of its interval, -1 if unknown; sure if its price was charged twice running. */
type Known = {
  readonly charge: Charge;
  readonly number: number;
  readonly isSure: boolean;
  /** The same of earlier charges of its series. */
  readonly before: readonly Known[];
};

/** By its own series; else by others of its plan; else by an uncertain gap; else by what came before. */
function intervalOf({ charge, number, isSure, before }: Known, all: readonly Known[]) {
  const alike = all.filter((other) => other.isSure && planOf(other) === planOf({ charge }));
  const found = [
    isSure ? number : -1,
    mostCommon(alike.map((other) => other.number)) ?? -1,
    number,
    before.findLast((other) => other.isSure)?.number ?? -1,
    before.findLast((other) => other.number >= 0)?.number ?? -1,
  ];
  return RECURRENCES[found.find((each) => each >= 0) ?? 2] ?? MONTHLY;
}

/**
 * By the shortest gap from its price to the same one, or else of three weeks or more to another. A longer gap than
 * before between equals, seen once at most, is a pause, unless by the month the amount changes less with it.
 */
function findIntervals(series: readonly Charge[]): Known[] {
  const known: Known[] = [];
  const found = series.map((charge) => {
    const gaps = series.flatMap(({ price, on }, place) => {
      const next = series[place + 1];
      if (price !== charge.price || next === undefined) return [];
      return [{ days: on.until(next.on).days, isSame: next.price === price }];
    });
    const same = gaps.filter(({ days, isSame }) => isSame && days > 0);
    const usable = same.length > 0 ? same : gaps.filter(({ days }) => days > 20);
    const shortest = Math.min(...usable.map(({ days }) => days));
    const number = usable.length === 0 ? -1 : RECURRENCES.findIndex(({ gap }) => shortest <= gap);
    return { number, repeats: same.length };
  });
  for (const [place, charge] of series.entries()) {
    const { number, repeats } = found[place] ?? { number: -1, repeats: 0 };
    const last = found.slice(0, place).findLastIndex((other) => other.number >= 0);
    const earlier = found[last]?.number ?? -1;
    const monthly = (of: bigint, recurrence: number) => {
      const { times, by } = RECURRENCES[recurrence] ?? MONTHLY;
      return (Number(of) * Number(times)) / Number(by);
    };
    const was = Math.log(monthly(series[last]?.raw ?? 1n, earlier));
    const change = (to: number) => Math.abs(Math.log(monthly(charge.raw, to)) - was);
    const mayPause = repeats < 2 && earlier >= 0 && earlier < number;
    const isPause = mayPause && change(earlier) < change(number);
    const own = { number: isPause ? earlier : number, isSure: repeats > 0 };
    known.push({ charge, ...own, before: [...known] });
  }
  return known;
}

/** Of several as common the shortest. */
function mostCommon(numbers: readonly number[]): number | undefined {
  const count = (number: number) => numbers.filter((other) => other === number).length;
  return numbers.toSorted((a, b) => count(b) - count(a) || a - b)[0];
}

function firstOf(day: Temporal.PlainDate): Temporal.PlainDate {
  return day.with({ day: 1 });
}

function nextMonth(month: Temporal.PlainDate): Temporal.PlainDate {
  return month.add({ months: 1 });
}

function isAfter(a: Temporal.PlainDate, b: Temporal.PlainDate): boolean {
  return Temporal.PlainDate.compare(a, b) > 0;
}
