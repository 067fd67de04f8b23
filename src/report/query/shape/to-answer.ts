import type { MetricValue, QueryAnswer, SentQuery } from '#contract/query.ts';
import { toBucketLabel } from '#domain/time/bucket-label.ts';
import { toBuckets } from '#domain/time/buckets.ts';
import { pairBuckets } from '#domain/time/compared-periods.ts';
import type { Metric } from '../../metric.ts';
import { sharedByPages, writeCursor } from '../cursor.ts';
import type { Plan } from '../plan/plan.ts';
import type { Query } from '../query.ts';
import {
  type AnswerRow,
  toAnsweredRange,
  toAnswerRow,
  toMoney,
  type WarehouseRow,
} from './to-answer-row.ts';

/** An answer's notes about money in currencies other than the site's. */
export type MoneyNotes = Pick<
  QueryAnswer['meta'],
  'unconverted' | 'unconverted_costs' | 'converting' | 'late_rates' | 'rates_until'
>;

/** The warehouse's results for a query. */
type Found = {
  readonly plan: Plan;
  /** One more than the page, if there is another page. */
  readonly rows: readonly WarehouseRow[];
  readonly now: number;
  readonly totalRows: number | undefined;
  /** The rows of the period that the query compares with, if it does. */
  readonly earlier: readonly AnswerRow[] | undefined;
  readonly moneyNotes: MoneyNotes;
};

/** Formats the answer to a query as in the contract. */
export function toAnswer(sent: SentQuery, query: Query, found: Found): QueryAnswer {
  const { plan, now, totalRows, earlier, moneyNotes } = found;
  const { limit } = query.page;
  const others = found.rows.filter(({ is_total: isTotal }) => isTotal !== 1);
  const rows = others.slice(0, limit);
  const last = others.length > limit ? rows.at(-1) : undefined;
  const toResults = (answered: AnswerRow[]) =>
    earlier === undefined ? answered : compareRows(earlier, query, answered);
  const results = toResults(rows.map((row) => toAnswerRow(row, plan)));
  const isWhole = query.hasTotals && query.dimensions.length === 0;
  const [totals] = plan.rows.hasTotal ? toResults([findTotal(found, query)]) : results;
  return {
    results,
    ...((isWhole || plan.rows.hasTotal) && { totals }),
    meta: {
      ...(totalRows !== undefined && { total_rows: totalRows }),
      ...(last !== undefined && { next_cursor: toCursor(sent, query, { last, now }) }),
      ...(sent.include?.time_labels === true && { time_labels: timeLabels(query) }),
      ...(sent.include?.imports !== undefined && { imports_included: false as const }),
      ...(query.attribution.models && { metrics: query.metrics.map(({ name }) => name) }),
      ...(plan.isApproximate && { approximate: true as const }),
      ...moneyNotes,
    },
    query: toEcho(sent, query),
  };
}

/** The cursor that callers get, for the last row of a page. */
function toCursor(
  sent: SentQuery,
  query: Query,
  { last, now }: { readonly last: WarehouseRow; readonly now: number },
): string {
  const after = query.order.map(({ by }) => {
    const metric = query.metrics.findIndex(({ name }) => name === by.name);
    const dimension = query.dimensions.findIndex(({ name }) => name === by.name);
    const value = metric >= 0 ? last[`t${metric}`] : last[`d${dimension}`];
    return value == null ? null : String(value);
  });
  return writeCursor(sharedByPages(sent), now, after);
}

/** The row for the whole: zeros if nothing was counted. */
function findTotal({ rows, plan }: Found, query: Query): AnswerRow {
  const whole = rows.find(({ is_total: isTotal }) => isTotal === 1);
  if (whole !== undefined) return toAnswerRow(whole, plan);
  return { dimensions: [], metrics: query.metrics.map((metric) => zeroOf(metric, query)) };
}

function timeLabels({ dimensions, period }: Query): string[] {
  const time = dimensions.find((dimension) => dimension.of === 'time');
  if (time === undefined) return [];
  return toBuckets(period, time.unit).map((at) => toBucketLabel(at, time.unit, period.timeZone));
}

/** The resolved query, with all defaults filled in. */
function toEcho(sent: SentQuery, query: Query): QueryAnswer['query'] {
  const { model, models, lookbackDays } = query.attribution;
  return {
    site_id: sent.site_id,
    metrics: sent.metrics,
    date_range: toAnsweredRange(query.period),
    dimensions: query.dimensions.map((dimension) => dimension.name),
    filters: sent.filters ?? [],
    order_by: query.order.map(({ by, direction }) => [by.name, direction]),
    pagination: { limit: query.page.limit, offset: query.page.offset },
    attribution: {
      ...(models === undefined ? { model } : { models: [...models] }),
      lookback_days: lookbackDays,
    },
    include: { ...sent.include },
    timezone: query.period.timeZone,
    ...(query.comparedWith && { comparison_date_range: toAnsweredRange(query.comparedWith.part) }),
  };
}

type Results = QueryAnswer['results'];

/**
 * The rows of an answer, each with its values in another period.
 *
 * - Shape: rows are matched by their dimensions, in time as `pairBuckets` has them. A row without an earlier one is
 *   compared with zeros, and null for a ratio. A bucket without a counterpart is compared with nulls, without a label.
 */
function compareRows(
  earlier: readonly AnswerRow[],
  query: Query,
  current: readonly AnswerRow[],
): Results {
  const earlierByKey = new Map(earlier.map((row) => [row.dimensions.join('\0'), row]));
  const toEarlierKey = keyMap(query);
  return current.map((row) => {
    const dimensions = toEarlierKey(row.dimensions);
    const before = earlierByKey.get(dimensions.join('\0'));
    const hasCounterpart = !dimensions.includes('') || row.dimensions.includes('');
    const none = (metric: Metric) => (hasCounterpart ? zeroOf(metric, query) : null);
    const metrics = before?.metrics ?? query.metrics.map(none);
    return {
      ...row,
      comparison: {
        dimensions,
        metrics,
        change: row.metrics.map((value, index) => percentChange(metrics[index] ?? null, value)),
      },
    };
  });
}

/** A metric's value without data: a ratio has no denominator. */
function zeroOf({ unit, parts }: Metric, { site }: Query): MetricValue {
  if (parts.length > 1) return null;
  return unit === 'money' ? toMoney(0n, site.currency) : 0;
}

/** The dimensions of the earlier row that a row is compared with. */
function keyMap({ dimensions, period, comparedWith }: Query): (own: string[]) => string[] {
  const earlierLabels = dimensions.map((dimension) => {
    if (dimension.of !== 'time' || comparedWith === undefined) return undefined;
    const label = (at: number) => toBucketLabel(at, dimension.unit, period.timeZone);
    const pairs = pairBuckets(period, comparedWith, dimension.unit);
    return new Map(
      pairs.map(([at, before]) => [label(at), before === undefined ? '' : label(before)]),
    );
  });
  return (own) => own.map((value, index) => earlierLabels[index]?.get(value) ?? value);
}

/** A change in percent, to two decimals; null without anything to compare with. */
export function percentChange(before: MetricValue, after: MetricValue): number | null {
  const [from, to] = [toNumber(before), toNumber(after)];
  if (from === null || to === null || from === 0) return null;
  return Math.round((10_000 * (to - from)) / Math.abs(from)) / 100;
}

/** Money as a float is exact enough for a percentage. */
function toNumber(value: MetricValue): number | null {
  return typeof value === 'object' && value !== null ? Number(value.value) : value;
}
