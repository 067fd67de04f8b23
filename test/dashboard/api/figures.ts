import type { MetricValue, QueryAnswer, SentQuery } from '#contract/query.ts';
import { METRIC_FORMS, type MetricName } from '#contract/reports/catalog.ts';
import { NONE, UNATTRIBUTED } from '#domain/row-labels.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import type { Call } from './fake-api.ts';

/** A visit of the small world. */
type Visit = {
  readonly at: string;
  readonly visitor: string;
  readonly seconds: number;
  readonly pages: readonly string[];
  readonly goals?: readonly string[];
  /** By dimension, such as `visit:source`. */
  readonly of: Readonly<Record<string, string>>;
};

/** Money that came in, or back if it is negative; the first visit of its visitor gets the credit. */
type Payment = { readonly at: string; readonly visitor?: string; readonly minor: number };

const GOOGLE = { 'visit:source': 'Google', 'visit:channel': 'Organic Search' };
const DIRECT = { 'visit:source': 'Direct', 'visit:channel': 'Direct' };
const LETTER = {
  ...{ 'visit:source': 'letter', 'visit:medium': 'email', 'visit:channel': 'Email' },
  'visit:campaign': 'autumn',
};
const DESKTOP = { 'visit:device': 'desktop', 'visit:browser': 'Firefox', 'visit:os': 'Linux' };
const MOBILE = { 'visit:device': 'mobile', 'visit:browser': 'Safari', 'visit:os': 'iOS' };
const PLAN = { 'event:property': 'plan', 'event:props:plan': 'monthly' };

/** Three visitors in November, of whom two pay; one in October. */
const VISITS: readonly Visit[] = [
  {
    ...{ at: '2026-10-15 08', visitor: 'Dora', seconds: 10, pages: ['/'] },
    of: { ...DIRECT, ...DESKTOP, 'visit:country': 'GB' },
  },
  {
    ...{ at: '2026-11-10 09', visitor: 'Ada', seconds: 120, pages: ['/', '/teas'] },
    of: { ...GOOGLE, ...DESKTOP, 'visit:country': 'DE' },
  },
  {
    ...{ at: '2026-11-20 10', visitor: 'Ada', seconds: 60, pages: ['/teas', '/pay'] },
    ...{ goals: ['signup'], of: { ...DIRECT, ...DESKTOP, ...PLAN, 'visit:country': 'DE' } },
  },
  {
    ...{ at: '2026-11-20 11', visitor: 'Ben', seconds: 0, pages: ['/'] },
    of: { ...GOOGLE, ...MOBILE, 'visit:country': 'AT' },
  },
  {
    ...{ at: '2026-11-28 14', visitor: 'Cleo', seconds: 20, pages: ['/'] },
    of: { ...LETTER, ...MOBILE, 'visit:country': 'FR' },
  },
];

/** €55 in November, one of them unattributed, of which €5 went back; €20 in October. */
const PAYMENTS: readonly Payment[] = [
  { at: '2026-10-15 09', visitor: 'Dora', minor: 2_000 },
  { at: '2026-11-20 10', visitor: 'Ada', minor: 4_000 },
  { at: '2026-11-25 12', minor: 500 },
  { at: '2026-11-28 14', visitor: 'Cleo', minor: 1_000 },
  { at: '2026-11-29 08', visitor: 'Cleo', minor: -500 },
];

/** What a row or a total counts. */
type Counted = { readonly visits: readonly Visit[]; readonly payments: readonly Payment[] };

const WORLD: Counted = { visits: VISITS, payments: PAYMENTS };

/** Answers a query about the small world by counting it. */
export function answerQuery(
  { body }: Pick<Call<'POST /api/v1/query'>, 'body'>,
  world: Counted = WORLD,
): QueryAnswer {
  const days = toDays(body.date_range);
  const before = toEarlier(days, body.include?.compare);
  const within = (range: readonly [string, string]) => filtered(between(world, range), body);
  const [now, then] = [within(days), before && within(before)];
  const dimensions = body.dimensions ?? [];
  const isTime = dimensions[0]?.startsWith('time') === true;
  const names = body.attribution?.models?.flatMap((model) =>
    body.metrics.map((name) => `${name}:${model}`),
  );
  const count = (counted: Counted) => toMetrics(names ?? body.metrics, counted);
  const compare = (values: MetricValue[], earlier: MetricValue[]) => ({
    ...{ dimensions: [], metrics: earlier },
    change: values.map(() => null),
  });
  const rows = toGroups(body, now, days).map(([value, counted]) => ({ value, counted }));
  const earlier = then && before ? toGroups(body, then, before) : [];
  const results = rows.map(({ value, counted }, index) => {
    const other = isTime ? earlier[index] : earlier.find(([one]) => `${one}` === `${value}`);
    const none = toMetrics(body.metrics, { visits: [], payments: [] });
    const metrics = count(counted);
    return {
      ...{ dimensions: [...value], metrics },
      ...(then && {
        comparison: {
          ...compare(metrics, other ? count(other[1]) : none),
          dimensions: [...(other?.[0] ?? value)],
        },
      }),
    };
  });
  const totals = count(now);
  const ordered = isTime ? results : toOrdered(results, body);
  return {
    results: ordered.slice(0, body.pagination?.limit),
    ...(body.include?.totals && {
      totals: {
        ...{ dimensions: [], metrics: totals },
        ...(then && { comparison: compare(totals, count(then)) }),
      },
    }),
    meta: {
      ...(body.include?.total_rows && { total_rows: results.length }),
      ...(body.include?.time_labels && {
        time_labels: results.map(({ dimensions: [label = ''] }) => label),
      }),
      ...(names && { metrics: names }),
    },
    query: {
      ...{ site_id: 'tea.example', filters: [...(body.filters ?? [])], timezone: 'UTC' },
      date_range: toInstants(days),
      metrics: [...body.metrics],
      ...{ dimensions: [...dimensions], order_by: [], include: {} },
      pagination: { limit: 10_000, offset: 0 },
      attribution: { model: 'first_touch', lookback_days: null },
      ...(before && { comparison_date_range: toInstants(before) }),
    },
  };
}

const TODAY = '2026-11-30';

/** The first and the last day of a range. */
function toDays(range: SentQuery['date_range']): [string, string] {
  if (typeof range !== 'string') return [range[0].slice(0, 10), range[1].slice(0, 10)];
  const [, count, unit] = /^(\d+)(d|mo)$/.exec(range) ?? [];
  if (unit !== undefined)
    return [addDays(TODAY, 1 - Number(count) * (unit === 'd' ? 1 : 30)), TODAY];
  return range === 'all' ? ['2026-10-01', TODAY] : [TODAY, TODAY];
}

function toEarlier(
  [from, to]: readonly [string, string],
  compare: NonNullable<SentQuery['include']>['compare'],
): [string, string] | undefined {
  if (compare === undefined) return undefined;
  if (typeof compare !== 'string') return [compare[0], compare[1]];
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  return [addDays(from, -days), addDays(to, -days)];
}

const addDays = (day: string, count: number) =>
  new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);

const toInstants = ([from, to]: readonly [string, string]): [string, string] => [
  `${from}T00:00:00+00:00`,
  `${addDays(to, 1)}T00:00:00+00:00`,
];

function between({ visits, payments }: Counted, [from, to]: readonly [string, string]): Counted {
  const isIn = ({ at }: { readonly at: string }) => at >= from && at.slice(0, 10) <= to;
  return { visits: visits.filter(isIn), payments: payments.filter(isIn) };
}

/** What filters leave: a payment counts where the visit with its credit does. */
function filtered({ visits, payments }: Counted, { filters = [] }: SentQuery): Counted {
  const isLeft = (visit: Visit | undefined) =>
    filters.every(([operator, dimension, values]) => {
      const found = visit ? valuesOf(visit, `${dimension}`) : [];
      const wanted = values as readonly string[];
      const matches = `${operator}`.startsWith('contains')
        ? found.some((value) =>
            wanted.some((part) => value.toLowerCase().includes(part.toLowerCase())),
          )
        : found.some((value) => wanted.includes(value));
      return matches !== `${operator}`.endsWith('_not');
    });
  return {
    visits: visits.filter(isLeft),
    payments: payments.filter((payment) => isLeft(creditedOf(payment))),
  };
}

const creditedOf = ({ visitor }: Payment) => VISITS.find((visit) => visit.visitor === visitor);

/** A visit's values of a dimension. */
function valuesOf({ at, pages, goals = [], of }: Visit, dimension: string): readonly string[] {
  const own: Readonly<Record<string, readonly (string | undefined)[]>> = {
    'event:page': pages,
    'visit:entry_page': pages.slice(0, 1),
    'visit:exit_page': pages.slice(-1),
    'event:goal': goals,
    'event:hostname': ['tea.example'],
    'time:hour': [`${at}:00:00`],
  };
  const isOfEvents = /^event:(goal|property|outbound|download)$|bot/.test(dimension);
  const values = own[dimension] ?? [of[dimension] ?? (isOfEvents ? undefined : NONE)];
  return values.filter((value) => value !== undefined);
}

type Group = readonly [value: readonly string[], counted: Counted];

/** The rows of a query, each with what it counts. */
function toGroups(
  { dimensions = [], separately = false }: SentQuery,
  counted: Counted,
  days: readonly [string, string],
): Group[] {
  const [first] = dimensions;
  if (first === undefined) return [[[], counted]];
  if (separately) {
    return dimensions.flatMap((dimension) =>
      groupBy(dimension, counted).map(([value, rest]): Group => [[dimension, ...value], rest]),
    );
  }
  return /^time($|:day)/.test(first) ? groupByDay(counted, days) : groupBy(first, counted);
}

function groupByDay(counted: Counted, [from, to]: readonly [string, string]): Group[] {
  const count = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  return Array.from({ length: count }, (_, index) => addDays(from, index)).map((day) => [
    [day],
    between(counted, [day, day]),
  ]);
}

function groupBy(dimension: string, { visits, payments }: Counted): Group[] {
  const credits = (payment: Payment) => {
    const visit = creditedOf(payment);
    return visit ? valuesOf(visit, dimension) : [UNATTRIBUTED];
  };
  const isOfVisits = dimension.startsWith('visit:');
  const values = new Set([
    ...visits.flatMap((visit) => valuesOf(visit, dimension)),
    ...(isOfVisits ? payments.flatMap(credits) : []),
  ]);
  return [...values].map((value) => [
    [value],
    {
      visits: visits.filter((visit) => valuesOf(visit, dimension).includes(value)),
      payments: payments.filter((payment) => credits(payment).includes(value)),
    },
  ]);
}

type Row = { readonly dimensions: string[]; readonly metrics: MetricValue[] };

function toOrdered<Of extends Row>(
  rows: readonly Of[],
  { order_by = [], metrics }: SentQuery,
): Of[] {
  const [by = '', direction = 'desc'] = order_by[0] ?? [];
  const at = metrics.indexOf(by);
  const toValue = ({ metrics }: Row) => toSize(metrics[at] ?? null);
  const sign = direction === 'desc' ? -1 : 1;
  return rows.toSorted((one, other) => sign * (toValue(one) - toValue(other)));
}

const toSize = (value: MetricValue) =>
  typeof value === 'object' ? Number(value?.value ?? 0) : value;

const toMoney = (minor: number) => ({ value: (minor / 100).toFixed(2), currency: 'EUR' });
const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);
const distinct = (all: readonly { readonly visitor?: string }[]) =>
  new Set(all.flatMap(({ visitor }) => visitor ?? [])).size;

/** The metrics of the small world; others are zero. */
function toMetrics(names: readonly string[], { visits, payments }: Counted): MetricValue[] {
  const visitors = distinct(visits);
  const ofVisits = (count: number) => (visits.length === 0 ? null : count / visits.length);
  const ofVisitors = (count: number) => (visitors === 0 ? null : count / visitors);
  const paid = payments.filter(({ minor }) => minor > 0);
  const [all, back] = [payments, payments.filter(({ minor }) => minor < 0)].map((each) =>
    sum(each.map(({ minor }) => minor)),
  ) as [number, number];
  const share = ofVisitors(100 * distinct(paid));
  const each = ofVisitors(all);
  const known: Readonly<Record<string, MetricValue>> = {
    ...{ visitors, visits: visits.length, payments: paid.length, customers: distinct(paid) },
    pageviews: sum(visits.map(({ pages }) => pages.length)),
    views_per_visit: ofVisits(sum(visits.map(({ pages }) => pages.length))),
    bounce_rate: ofVisits(100 * visits.filter(({ pages }) => pages.length === 1).length),
    visit_duration: ofVisits(sum(visits.map(({ seconds }) => seconds))),
    conversions: sum(visits.map(({ goals = [] }) => goals.length)),
    conversion_rate: share,
    revenue: toMoney(all),
    gross_revenue: toMoney(all - back),
    gross_new_revenue: toMoney(all - back),
    refunds: toMoney(-back),
    revenue_per_visitor: each === null ? null : toMoney(Math.round(each)),
  };
  return names.map((column) => {
    const [name = ''] = column.split(':');
    const form = METRIC_FORMS[name as MetricName];
    return known[name] ?? (form.unit === 'money' ? toMoney(0) : 0);
  });
}
