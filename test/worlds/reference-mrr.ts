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
  readonly series: string;
  readonly on: Temporal.PlainDate;
  readonly key: string;
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

/** Renewals; what begins a subscription; and, without one, a payment whose next one is a renewal. */
function toCharges({ payments, persons }: MrrWorld, timeZone: string): Charge[] {
  const bySeries = Map.groupBy(
    payments.filter(({ amountMinor }) => amountMinor > 0n),
    (payment) =>
      payment.subscriptionId === ''
        ? `${payerOf(payment, persons)} of ${payment.product}`
        : `subscription ${payment.subscriptionId}`,
  );
  return [...bySeries].flatMap(([series, own]) => {
    const inOrder = own.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
    const recurring = inOrder.filter(
      ({ isRenewal, subscriptionId }, index) =>
        isRenewal || (subscriptionId === '' ? inOrder[index + 1]?.isRenewal : index === 0),
    );
    const first = inOrder[0];
    const customer = first === undefined ? '' : payerOf(first, persons);
    const days = Map.groupBy(recurring, ({ at }) => dayOf(at, timeZone).toString());
    return [...days].map(([day, paid]): Charge => {
      const raw = paid.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
      const paidBack = paid.map((payment) => paidBackOn(payment, timeZone));
      return {
        customer,
        series,
        on: Temporal.PlainDate.from(day),
        raw,
        key: [least(paid, 'product'), least(paid, 'currency'), raw].join(' '),
        minor: paid.reduce((sum, payment) => sum + toEuros(payment.amountMinor, payment), 0n),
        paidBackOn: paidBack.every((each) => each !== undefined)
          ? paidBack.toSorted(Temporal.PlainDate.compare).at(-1)
          : undefined,
      };
    });
  });
}

function payerOf(payment: RecurringPayment, persons: MrrWorld['persons']): string {
  const { id, visitorId, customerId, subscriptionId } = payment;
  if (visitorId !== '') return persons.get(`visitor ${visitorId}`) ?? visitorId;
  const person = persons.get(`transaction ${id}`);
  return person ?? (customerId || (subscriptionId ? ` subscription ${subscriptionId}` : ` ${id}`));
}

function least(paid: readonly RecurringPayment[], field: 'product' | 'currency'): string {
  return paid.map((payment) => payment[field]).toSorted()[0] ?? '';
}

function paidBackOn({ amountMinor, refunds }: RecurringPayment, timeZone: string) {
  const sum = refunds.reduce((total, refund) => total + refund.amountMinor, 0n);
  if (sum < amountMinor) return undefined;
  return dayOf(Math.max(...refunds.map(({ at }) => at)), timeZone);
}

function toTerms(charges: readonly Charge[]): Map<string, Term[]> {
  const series = [...Map.groupBy(charges, (charge) => charge.series).values()].map((own) =>
    own.toSorted((a, b) => Temporal.PlainDate.compare(a.on, b.on)),
  );
  const known = series.flatMap((own) => {
    const found = own.map((charge) => findGaps(own, charge));
    return own.map((charge, index) => ({
      charge,
      next: own[index + 1],
      own: ownRecurrence(own, found, index),
    }));
  });
  const terms = new Map<string, Term[]>();
  for (const [place, { charge, next, own }] of known.entries()) {
    const alike = known.filter((other) => other.charge.key === charge.key && other.own >= 0);
    const earlier = known.slice(0, place).filter((other) => other.charge.series === charge.series);
    const last = earlier.findLast((other) => other.own >= 0)?.own ?? 2;
    const number = own >= 0 ? own : (mostCommon(alike.map((other) => other.own)) ?? last);
    const { every, times, by, grace } = RECURRENCES[number] ?? MONTHLY;
    const ends = [charge.on.add(every).add({ days: grace }), next?.on, charge.paidBackOn];
    const minor = (2n * charge.minor * times + by) / (2n * by);
    if (minor === 0n) continue;
    const to = ends.filter((each) => each !== undefined).toSorted(Temporal.PlainDate.compare)[0];
    const list = terms.get(charge.customer) ?? [];
    terms.set(charge.customer, [...list, { from: charge.on, to: to ?? charge.on, minor }]);
  }
  return terms;
}

type Found = { readonly number: number; readonly isOnce: boolean };

/** By the shortest gap after a charge of the same amount; -1 where there is none. */
function findGaps(series: readonly Charge[], charge: Charge): Found {
  const gaps = series.flatMap(({ key, on }, place) => {
    const next = series[place + 1];
    return key === charge.key && next !== undefined ? [on.until(next.on).days] : [];
  });
  if (gaps.length === 0) return { number: -1, isOnce: false };
  const shortest = Math.min(...gaps);
  return {
    number: RECURRENCES.findIndex(({ gap }) => shortest <= gap),
    isOnce: gaps.length === 1,
  };
}

/** A longer gap that came once is a pause, unless by the month the amount changes less with it. */
function ownRecurrence(series: readonly Charge[], found: readonly Found[], index: number): number {
  const { number, isOnce } = found[index] ?? { number: -1, isOnce: false };
  const before = found.slice(0, index).findLastIndex((other) => other.number >= 0);
  const earlier = found[before]?.number ?? -1;
  if (!isOnce || earlier < 0 || earlier >= number) return number;
  const monthly = (place: number, recurrence: number) => {
    const { times, by } = RECURRENCES[recurrence] ?? MONTHLY;
    return (Number(series[place]?.raw ?? 0n) * Number(times)) / Number(by);
  };
  const was = Math.log(monthly(before, earlier));
  const change = (recurrence: number) => Math.abs(Math.log(monthly(index, recurrence)) - was);
  return change(earlier) < change(number) ? earlier : number;
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
