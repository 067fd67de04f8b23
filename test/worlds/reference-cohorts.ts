/** A visit of one page. */
export type CohortVisit = {
  readonly visitorId: string;
  readonly at: number;
  readonly source: string;
};
/** A payment with what was paid back of it, in the order of time. */
export type CohortPayment = {
  readonly id: string;
  readonly visitorId: string;
  readonly customerId: string;
  readonly at: number;
  readonly amountMinor: bigint;
  readonly currency: 'EUR' | 'USD' | 'KRW';
  readonly product: string;
  readonly refunds: readonly { readonly at: number; readonly amountMinor: bigint }[];
};
/** What happened on one site, and who is who there: persons by `visitor ID` and `transaction ID`. */
export type CohortWorld = {
  readonly visits: readonly CohortVisit[];
  readonly payments: readonly CohortPayment[];
  readonly persons: ReadonlyMap<string, string>;
};

/** What is asked of it, in both kinds of query. */
export type CohortQuery = {
  readonly cohort: 'first_visit' | 'first_payment';
  readonly by: 'person' | 'visitor';
  readonly from: Temporal.PlainDate;
  readonly to: Temporal.PlainDate;
  readonly now: number;
  readonly timeZone: string;
  /** Of first visits with one of these sources; of all without. */
  readonly sources?: readonly string[] | undefined;
  /** Payments for this product only. */
  readonly product?: string | undefined;
};

type Outlay = { readonly at: number; readonly minor: bigint; readonly isPayment: boolean };
type Member = {
  readonly joinedAt: number;
  readonly source: string;
  readonly visits: readonly number[];
  readonly outlays: readonly Outlay[];
};

/** A row of retention: the cohort, its size, and `active minor` of each period that has begun. */
export function referenceRetention(
  world: CohortWorld,
  query: CohortQuery & {
    readonly unit: 'week' | 'month';
    readonly measure: 'activity' | 'revenue';
    readonly periods: number;
  },
): string[] {
  const { unit, timeZone, periods, measure } = query;
  const startOf = (at: number) => firstDay(dayOf(at, timeZone), unit);
  const plus = (day: Temporal.PlainDate, n: number) => day.add({ [`${unit}s`]: n });
  const members = membersOf(world, query);
  const today = dayOf(query.now, timeZone);
  const rows: string[] = [];
  const last = Temporal.PlainDate.compare(query.to, today) < 0 ? query.to : today;
  for (
    let start = firstDay(query.from, unit);
    Temporal.PlainDate.compare(start, last) <= 0;
    start = plus(start, 1)
  ) {
    const own = members.filter(({ joinedAt }) => startOf(joinedAt).equals(start));
    const cells: string[] = [];
    for (let n = 0; n < periods && Temporal.PlainDate.compare(plus(start, n), today) <= 0; n++) {
      const isThen = (at: number) => startOf(at).equals(plus(start, n));
      // What was paid before the first visit counts in its period.
      const isBefore = (at: number) =>
        n === 0 && Temporal.PlainDate.compare(startOf(at), start) < 0;
      const outlays = own.map((member) =>
        member.outlays.filter(({ at }) => isThen(at) || isBefore(at)),
      );
      const active =
        measure === 'activity'
          ? own.filter(({ visits }) => visits.some(isThen)).length
          : outlays.filter((each) => each.some(({ isPayment }) => isPayment)).length;
      const isOver = Temporal.PlainDate.compare(plus(start, n + 1), today) <= 0;
      const minor = measure === 'activity' ? 0n : sum(outlays.flat());
      cells.push(`${active} ${minor}${isOver ? '' : ' so far'}`);
    }
    rows.push([start, own.length, ...cells].join(' | '));
  }
  return rows;
}

/** A row of lifetime value: the group, its size, and `members minor` of each month somebody has lived through. */
export function referenceLtv(
  world: CohortWorld,
  query: CohortQuery & {
    readonly groupBy: 'cohort_week' | 'cohort_month' | 'visitor:first_source' | 'all';
    readonly months: number;
  },
): string[] {
  const { timeZone, groupBy } = query;
  const today = dayOf(query.now, timeZone);
  const members = membersOf(world, query).filter(({ joinedAt }) => {
    const day = dayOf(joinedAt, timeZone);
    const { compare } = Temporal.PlainDate;
    return compare(day, query.from) >= 0 && compare(day, query.to) <= 0;
  });
  const groups = Map.groupBy(members, ({ joinedAt, source }) => {
    if (groupBy === 'visitor:first_source') return source;
    if (groupBy === 'all') return '';
    const unit = groupBy === 'cohort_week' ? 'week' : 'month';
    return firstDay(dayOf(joinedAt, timeZone), unit).toString();
  });
  return [...groups].map(([group, own]) => {
    const cells = Array.from({ length: query.months }, (_, month) => {
      const lived = own.filter(
        ({ joinedAt }) => monthsSince(dayOf(joinedAt, timeZone), today) > month,
      );
      if (lived.length === 0) return '-';
      const outlays = lived.flatMap((member) =>
        member.outlays.filter(
          ({ at }) => monthsSince(dayOf(member.joinedAt, timeZone), dayOf(at, timeZone)) <= month,
        ),
      );
      return `${lived.length} ${sum(outlays)}`;
    });
    return [group, own.length, ...cells].join(' | ');
  });
}

/** Everybody who ever joined, with all they did, whenever that was. */
function membersOf(world: CohortWorld, query: CohortQuery): Member[] {
  const { cohort, by, sources } = query;
  const whoOf = (visitorId: string) =>
    by === 'visitor' ? visitorId : (world.persons.get(`visitor ${visitorId}`) ?? visitorId);
  const visits = Map.groupBy(world.visits, ({ visitorId }) => whoOf(visitorId));
  const payments = Map.groupBy(
    world.payments.filter(({ product, amountMinor }) => {
      return amountMinor > 0n && (query.product === undefined || product === query.product);
    }),
    (payment) => payerOf(payment, world),
  );
  const everybody = cohort === 'first_visit' ? visits.keys() : payments.keys();
  return [...everybody]
    .map((who): Member => {
      const seen = (visits.get(who) ?? []).toSorted((a, b) => a.at - b.at);
      const paid = payments.get(who) ?? [];
      const joined = cohort === 'first_visit' ? seen : paid;
      return {
        joinedAt: Math.min(...joined.map(({ at }) => at)),
        source: seen[0]?.source ?? 'Unattributed',
        visits: seen.map(({ at }) => at),
        outlays: paid.flatMap(outlaysOf),
      };
    })
    .filter(({ source }) => sources === undefined || sources.includes(source));
}

function payerOf({ id, visitorId, customerId }: CohortPayment, { persons }: CohortWorld): string {
  if (visitorId !== '') return persons.get(`visitor ${visitorId}`) ?? visitorId;
  return persons.get(`transaction ${id}`) ?? (customerId ? ` customer ${customerId}` : ` ${id}`);
}

function outlaysOf(payment: CohortPayment): Outlay[] {
  let before = 0n;
  const refunds = payment.refunds.map(({ at, amountMinor }) => {
    const after = before + amountMinor;
    const minor = toEuros(before, payment) - toEuros(after, payment);
    before = after;
    return { at, minor, isPayment: false };
  });
  const minor = toEuros(payment.amountMinor, payment);
  return [{ at: payment.at, minor, isPayment: true }, ...refunds];
}

/** A euro is 1.25 dollars on every day; nobody knows what a won is worth. */
export function toEuros(minor: bigint, { currency }: Pick<CohortPayment, 'currency'>): bigint {
  if (currency === 'KRW') return 0n;
  return currency === 'EUR' ? minor : (8n * minor + 5n) / 10n;
}

function sum(outlays: readonly Outlay[]): bigint {
  return outlays.reduce((total, { minor }) => total + minor, 0n);
}

/** Counted one by one: how often a month can be added without passing the day. */
function monthsSince(from: Temporal.PlainDate, to: Temporal.PlainDate): number {
  let months = 0;
  while (Temporal.PlainDate.compare(from.add({ months: months + 1 }), to) <= 0) months++;
  return months;
}

function firstDay(day: Temporal.PlainDate, unit: 'week' | 'month'): Temporal.PlainDate {
  return unit === 'week' ? day.subtract({ days: day.dayOfWeek - 1 }) : day.with({ day: 1 });
}

/** The day of an instant in a zone. */
export function dayOf(at: number, timeZone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDate();
}
