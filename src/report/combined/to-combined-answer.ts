import type { MetricValue, QueryAnswer } from '#contract/query.ts';
import type { MetricName } from '#contract/reports/catalog.ts';
import { type CombinedAnswer, type CombinedQuery, isShared } from '#contract/reports/combined.ts';
import { SAME } from '#domain/money/rates/convert-money.ts';
import { toBucketLabel } from '#domain/time/bucket-label.ts';
import { type BucketUnit, toBuckets } from '#domain/time/buckets.ts';
import { pairBuckets } from '#domain/time/compared-periods.ts';
import { percentChange } from '../query/shape/to-answer.ts';
import { perHeadOf, toAnsweredRange, toMoney } from '../query/shape/to-answer-row.ts';
import { type AnsweredSite, isMoney, NOTED, type SiteRows } from './ask-site.ts';
import { addUp, type KeyedRow, MICROS, type Summand, toSummands } from './convert-rows.ts';

type How = {
  readonly asked: CombinedQuery;
  /** Those that are added up. */
  readonly metrics: readonly MetricName[];
  readonly dimension: string;
  readonly currency: string;
  readonly ratesUntil: string | undefined;
};

type Row = QueryAnswer['results'][number];
type Sums = ReadonlyMap<string, readonly Summand[]>;

/** Adds up what sites answered. */
export function toCombinedAnswer(sites: readonly AnsweredSite[], how: How): CombinedAnswer {
  const { asked, dimension, currency, ratesUntil } = how;
  const { include = {}, limit = Number.POSITIVE_INFINITY } = asked;
  const [unit] = dimension.split(/^time:/).slice(1) as BucketUnit[];
  const isCompared = sites.some(({ earlier }) => earlier !== undefined);
  const now = addRows(sites, ({ now }) => now, how);
  const earlier = isCompared ? addRows(sites, ({ earlier }) => earlier, how) : undefined;
  const pairs = unit && isCompared ? pairLabels(sites, unit) : undefined;
  const rows = [...now].map(([key, values]) => {
    const before = pairs === undefined ? key : (pairs.get(key) ?? '');
    return toRow(how, [key], values, earlier && { key: before, values: earlier.get(before) });
  });
  const total = include.totals === true && !isShared(dimension);
  return {
    results: inOrder(rows, unit !== undefined).slice(0, limit),
    ...(total && { totals: toTotals(sites, how, isCompared) }),
    meta: {
      ...(include.time_labels === true && unit && { time_labels: labelsOf(sites, unit) }),
      ...toNotes(sites, ratesUntil),
    },
    query: {
      sites: sites.map(({ site }) => site.domain),
      metrics: [...asked.metrics],
      filters: asked.filters ?? [],
      ...{ dimensions: [dimension], date_range: toWholeRange(sites), currency },
    },
  };
}

/** The rows of all sites. Each site's own row is rounded, so that they add up to the totals. */
function addRows(
  sites: readonly AnsweredSite[],
  rowsOf: (site: AnsweredSite) => SiteRows | undefined,
  { dimension }: How,
): Sums {
  const sums = addUp(sites.flatMap((site) => rowsOf(site)?.rows ?? []));
  if (dimension !== 'site') return sums;
  return new Map([...sums].map(([key, values]) => [key, values.map(toWholeMinor)]));
}

function toTotals(sites: readonly AnsweredSite[], how: How, isCompared: boolean): Row {
  const sum = (rowsOf: (site: AnsweredSite) => SiteRows | undefined) => {
    const bySite = sites.flatMap((site): readonly KeyedRow[] => {
      const totals = (rowsOf(site)?.totals ?? []).map((row) => ({ ...row, key: '' }));
      return [...addUp(totals)].map(([key, values]) => ({ key, values: values.map(toWholeMinor) }));
    });
    return addUp(bySite).get('');
  };
  const before = isCompared ? { values: sum(({ earlier }) => earlier) } : undefined;
  return toRow(how, [], sum(({ now }) => now) ?? [], before);
}

function toWholeMinor(value: Summand): Summand {
  return typeof value === 'bigint' ? perHeadOf(value, MICROS) * MICROS : value;
}

type Before = { readonly key?: string; readonly values: readonly Summand[] | undefined };

function toRow(
  how: How,
  dimensions: string[],
  values: readonly Summand[],
  before: Before | undefined,
): Row {
  const metrics = how.asked.metrics.map((metric) => toValue(how, metric, values));
  if (before === undefined) return { dimensions, metrics };
  // A bucket without a counterpart is compared with nothing.
  const earlier = how.asked.metrics.map((metric) =>
    before.key === '' && dimensions[0] !== '' ? null : toValue(how, metric, before.values ?? []),
  );
  return {
    ...{ dimensions, metrics },
    comparison: {
      dimensions: before.key === undefined ? [] : [before.key],
      metrics: earlier,
      change: metrics.map((value, at) => percentChange(earlier[at] ?? null, value)),
    },
  };
}

function toValue(
  { metrics, currency }: How,
  metric: MetricName,
  values: readonly Summand[],
): MetricValue {
  const find = (name: MetricName) => values[metrics.indexOf(name)] ?? 0;
  if (metric === 'revenue_per_visitor') {
    const visitors = BigInt(Math.round(Number(find('visitors'))));
    const micros = BigInt(find('revenue'));
    return visitors === 0n ? null : toMoney(perHeadOf(micros, MICROS * visitors), currency);
  }
  if (!isMoney(metric)) return Number(find(metric));
  return toMoney(perHeadOf(BigInt(find(metric)), MICROS), currency);
}

/** Time ascending; else the largest first metric first. */
function inOrder(rows: readonly Row[], isTime: boolean): Row[] {
  const keyOf = ({ dimensions: [name = ''] }: Row) => name;
  const byName = (one: Row, other: Row) => (keyOf(one) < keyOf(other) ? -1 : 1);
  if (isTime) return rows.toSorted(byName);
  const sizeOf = ({ metrics: [first = 0] }: Row) =>
    typeof first === 'object' ? Number(first?.value ?? 0) : first;
  return rows.toSorted((one, other) => sizeOf(other) - sizeOf(one) || byName(one, other));
}

/** The labels of all sites' buckets: their days may begin a day apart. */
function labelsOf(sites: readonly AnsweredSite[], unit: BucketUnit): string[] {
  const labels = sites.flatMap(({ period }) =>
    toBuckets(period, unit).map((at) => toBucketLabel(at, unit, period.timeZone)),
  );
  return [...new Set(labels)].toSorted();
}

/** Each bucket's label with that of the one it is compared with. */
function pairLabels(sites: readonly AnsweredSite[], unit: BucketUnit): Map<string, string> {
  const pairs = sites.flatMap(({ period, compared }) => {
    const label = (at: number) => toBucketLabel(at, unit, period.timeZone);
    return (compared ? pairBuckets(period, compared, unit) : []).flatMap(([at, before]) =>
      before === undefined ? [] : [[label(at), label(before)] as const],
    );
  });
  return new Map(pairs);
}

function toWholeRange(sites: readonly AnsweredSite[]): [string, string] {
  const periods = sites.map(({ period }) => period);
  const [first] = periods.toSorted((one, other) => one.startsAt - other.startsAt);
  const [last] = periods.toSorted((one, other) => other.endsAt - one.endsAt);
  if (first === undefined || last === undefined) throw new Error('a query has a site');
  return [toAnsweredRange(first)[0], toAnsweredRange(last)[1]];
}

type Meta = QueryAnswer['meta'];

/** The notes of all sites, and money that the chosen currency has no rate for. */
function toNotes(sites: readonly AnsweredSite[], ratesUntil: string | undefined): Meta {
  const metas = sites.flatMap(({ now }) => now.metas);
  const unconverted = addUp([
    ...sites.flatMap(({ site, now }) =>
      now.lacking.map((values) => toNoted(site.currency, values.slice(0, NOTED.length))),
    ),
    // Each of a site's queries says the same.
    ...sites.flatMap(({ now }) =>
      (now.metas.find((meta) => meta.unconverted)?.unconverted ?? []).map((each) =>
        toNoted(each.currency, [each.payments, each.gross_revenue, each.refunds]),
      ),
    ),
  ]);
  const [oldest] = metas.flatMap(({ rates_until: until = ratesUntil }) => until ?? []).toSorted();
  const converting = metas.find((meta) => meta.converting)?.converting;
  return {
    ...(metas.some(({ approximate }) => approximate) && { approximate: true as const }),
    ...(unconverted.size > 0 && { unconverted: [...unconverted].flatMap(toUnconverted) }),
    ...(converting && { converting }),
    ...(oldest && { rates_until: oldest }),
  };
}

function toNoted(currency: string, values: readonly MetricValue[]): KeyedRow {
  return { key: currency, values: toSummands(values, SAME) };
}

function toUnconverted([currency, [payments = 0, gross = 0n, refunds = 0n]]: readonly [
  string,
  readonly Summand[],
]): NonNullable<Meta['unconverted']> {
  const money = (micros: Summand) => toMoney(BigInt(micros) / MICROS, currency);
  const [gross_revenue, back] = [money(gross), money(refunds)];
  if (BigInt(gross) === 0n && BigInt(refunds) === 0n) return [];
  return [{ currency, payments: Math.round(Number(payments)), gross_revenue, refunds: back }];
}
