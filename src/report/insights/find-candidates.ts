import type { InsightKind } from '#contract/reports/insights.ts';
import { NONE, UNATTRIBUTED } from '#domain/row-labels.ts';
import {
  type Counted,
  chanceOfChange,
  chanceOfContrast,
  chanceOfRanks,
  type Series,
  spreadOf,
  sum,
  sumOf,
} from './change.ts';
import type { Observed, ObservedWeek } from './observe.ts';
import { daysOfWeek } from './weeks.ts';

/** Something that may be worth knowing. */
export type Candidate = {
  readonly kind: InsightKind;
  /** What it is about; both are empty for the whole site. */
  readonly dimension: string;
  readonly value: string;
  /** What was counted this week, and in a usual one or, of a contrast, among all others. */
  readonly now: Counted;
  readonly usual: Counted;
  /** The money of this week, and of each one before, in minor units. */
  readonly amounts?: { readonly now: number; readonly before: readonly number[] };
  /** How likely the difference is if nothing is behind it. */
  readonly chance: number;
};

type Subject = Pick<Candidate, 'kind' | 'dimension' | 'value'>;

/** A kind of change: how it is counted, and how many events all weeks together need, so that it can say anything. */
type Change = {
  readonly kind: InsightKind;
  readonly by: readonly string[];
  readonly least: number;
  readonly count: (week: ObservedWeek, dimension: string, value: string) => Counted;
  readonly money?: string;
};

const SITE = '';
const SOURCES = [SITE, 'visit:channel', 'visit:source', 'visit:campaign'];
const BUYERS = ['visit:country', 'visit:device', 'visit:entry_page'];
const CHANGES: readonly Change[] = [
  { kind: 'visitors', by: [...SOURCES, 'visit:country'], least: 20, count: ofWeek('visitors') },
  { kind: 'revenue', by: SOURCES, least: 4, count: ofWeek('payments'), money: 'revenue' },
  { kind: 'goal', by: ['event:goal'], least: 10, count: ofWeek('conversions') },
  { kind: 'conversion', by: [SITE, ...BUYERS], least: 8, count: buyersOf },
  { kind: 'exits', by: ['event:page'], least: 20, count: exitsOf },
];
/** Rates of fewer are too little to speak of. */
const RATE_OF_MIN = 100;
const CONTRAST_MIN = 5;
/** Those whose `of` is a number of visitors or visits, not of weeks. */
export const RATES: ReadonlySet<InsightKind> = new Set(['conversion', 'exits', 'contrast']);

/** Everything that was tried, whether it says something or not. Of one week, it has only contrasts. */
export function findCandidates(observed: Observed): readonly Candidate[] {
  const { weeks } = observed;
  return [
    ...CHANGES.flatMap((change) =>
      toCandidates(change.by.flatMap((by) => findChanges(change, by, weeks))),
    ),
    ...findDays(observed, { kind: 'day_visitors', metric: 'visitors', least: 20 }),
    ...findDays(observed, { kind: 'day_revenue', metric: 'payments', least: 8, money: 'revenue' }),
    ...(['refunds', 'disputes'] as const).flatMap((kind) => findPaidBack(observed, kind)),
    ...BUYERS.flatMap((dimension) => findContrasts(dimension, weeks)),
  ];
}

/** Each value of a dimension, compared with its earlier weeks. */
function findChanges(change: Change, dimension: string, weeks: readonly ObservedWeek[]): Found[] {
  const { kind, count, least, money } = change;
  const values = new Set(weeks.flatMap(({ tables }) => [...(tables.get(dimension)?.keys() ?? [])]));
  const named = [...values].filter((value) => value !== NONE && value !== UNATTRIBUTED);
  const found = named.map((value) => {
    const [now = NOTHING, ...before] = weeks.map((week) => count(week, dimension, value));
    const amounts = money && weeks.map((week) => figureOf(week, dimension, value, money));
    return { kind, dimension, value, now, before, ...(amounts && { amounts }) };
  });
  return found.filter(({ now, before }) => sumOf([now, ...before]).count >= least);
}

type Found = Subject & Series & { readonly amounts?: readonly number[] };

/** Finds how likely each is: its weeks vary as much as those of the others, too. */
function toCandidates(found: readonly Found[]): Candidate[] {
  const spreads = found.map(({ before }) => spreadOf(before));
  const all = {
    squares: sum(spreads.map((each) => each.squares)),
    degrees: sum(spreads.map((each) => each.degrees)),
  };
  return found.flatMap(({ before, now, amounts, ...subject }, index) => {
    const { squares, degrees } = spreads[index] ?? all;
    const others = { squares: all.squares - squares, degrees: all.degrees - degrees };
    const earlier = sumOf(before);
    const isRate = RATES.has(subject.kind);
    if (before.length === 0 || (isRate && Math.min(now.of, earlier.of) < RATE_OF_MIN)) return [];
    const usual = isRate ? earlier : { count: earlier.count / before.length, of: 1 };
    const [amount = 0, ...amountsBefore] = amounts ?? [];
    return {
      ...{ ...subject, now, usual, chance: chanceOfChange({ now, before }, others) },
      ...(amounts && { amounts: { now: amount, before: amountsBefore } }),
    };
  });
}

/** Each day of the week, compared with the same weekday of earlier weeks. */
function findDays(
  { weeks, days }: Observed,
  of: { readonly kind: InsightKind; readonly metric: string; least: number; money?: string },
): Candidate[] {
  const byWeek = weeks.map(daysOfWeek);
  const figures = (index: number, metric: string) =>
    byWeek.map((each) => days.get(each[index] ?? '')?.[metric] ?? 0);
  const found = (byWeek[0] ?? []).map((value, index): Found => {
    const [now = NOTHING, ...before] = figures(index, of.metric).map((count) => ({ count, of: 1 }));
    const amounts = of.money && figures(index, of.money);
    return {
      kind: of.kind,
      dimension: 'time:day',
      value,
      now,
      before,
      ...(amounts && { amounts }),
    };
  });
  return toCandidates(found.filter(({ now, before }) => sumOf([now, ...before]).count >= of.least));
}

/** Money paid back, compared by its days. */
function findPaidBack({ weeks, days }: Observed, kind: 'refunds' | 'disputes'): Candidate[] {
  const [now = [], ...before] = weeks.map((week) =>
    daysOfWeek(week).map((day) => days.get(day)?.[kind] ?? 0),
  );
  if (before.length === 0) return [];
  return [
    {
      ...{ kind, dimension: SITE, value: '', now: NOTHING, usual: NOTHING },
      amounts: { now: sum(now), before: before.map(sum) },
      chance: chanceOfRanks(now, before.flat()),
    },
  ];
}

/** Each value of a dimension whose visitors may buy more or less often than those of its other values, this week. */
function findContrasts(dimension: string, [week]: readonly ObservedWeek[]): Candidate[] {
  const values = [...(week?.tables.get(dimension)?.keys() ?? [])];
  const rows = values
    .filter((value) => value !== UNATTRIBUTED) // Credit without visitors.
    .map((value) => ({ value, now: week ? buyersOf(week, dimension, value) : NOTHING }));
  const all = sumOf(rows.map(({ now }) => now));
  return rows.flatMap(({ value, now }) => {
    const usual = { count: all.count - now.count, of: all.of - now.of };
    const isTold = Math.max(now.count, (all.count / all.of) * now.of) >= CONTRAST_MIN;
    if (value === NONE || !isTold || usual.count < CONTRAST_MIN) return [];
    if (Math.min(now.of, usual.of) < RATE_OF_MIN) return [];
    return { kind: 'contrast', dimension, value, now, usual, chance: chanceOfContrast(now, usual) };
  });
}

const NOTHING: Counted = { count: 0, of: 1 };

function figureOf(
  { tables }: ObservedWeek,
  dimension: string,
  value: string,
  metric: string,
): number {
  return tables.get(dimension)?.get(value)?.[metric] ?? 0;
}

function ofWeek(metric: string): Change['count'] {
  return (week, dimension, value) => ({ count: figureOf(week, dimension, value, metric), of: 1 });
}

/** New customers, of visitors. */
function buyersOf(week: ObservedWeek, dimension: string, value: string): Counted {
  const of = figureOf(week, dimension, value, 'visitors');
  return { count: figureOf(week, dimension, value, 'new_customers'), of };
}

/** Visits that end on a page, of those that see it. */
function exitsOf(week: ObservedWeek, _: string, value: string): Counted {
  const of = figureOf(week, 'event:page', value, 'visits');
  return { count: figureOf(week, 'visit:exit_page', value, 'visits'), of };
}
