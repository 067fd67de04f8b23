import type { MetricValue, QueryAnswer, Query as SentQuery } from '#contract/query.ts';
import type { Period } from '#domain/time/period.ts';
import type { Metric } from '../../metric.ts';
import type { MoneyNotes } from '../find-money-notes.ts';
import { toCursor } from '../parse/cursor.ts';
import { toAnsweredRange } from '../parse/parse-fields.ts';
import type { Plan } from '../plan/plan.ts';
import type { Query } from '../query.ts';
import {
  type AnswerRow,
  bucketLabels,
  toAnswerRow,
  toMoney,
  type WarehouseRow,
} from './to-answer-row.ts';

/** The warehouse's results for a query. */
export type Found = {
  readonly plan: Plan;
  /** One more than the page, if there is another page. */
  readonly rows: readonly WarehouseRow[];
  readonly totalRows: number | undefined;
  readonly earlier: Earlier | undefined;
  readonly moneyNotes: MoneyNotes;
};

/** Formats the answer to a query as in the contract. */
export function toAnswer(sent: SentQuery, query: Query, found: Found): QueryAnswer {
  const { plan, totalRows, earlier, moneyNotes } = found;
  const { limit } = query.page;
  const others = found.rows.filter(({ is_total: isTotal }) => isTotal !== 1);
  const rows = others.slice(0, limit);
  const last = others.length > limit ? rows.at(-1) : undefined;
  const toResults = (answered: AnswerRow[]) =>
    earlier === undefined ? answered : compareWith(earlier, query, answered);
  const results = toResults(rows.map((row) => toAnswerRow(row, plan)));
  const isWhole = query.hasTotals && query.dimensions.length === 0;
  const [totals] = plan.rows.hasTotal ? toResults([findTotal(found, query)]) : results;
  return {
    results,
    ...((isWhole || plan.rows.hasTotal) && { totals }),
    meta: {
      ...(totalRows !== undefined && { total_rows: totalRows }),
      ...(last !== undefined && { next_cursor: toCursor(sent, query, last) }),
      ...(sent.include?.time_labels === true && { time_labels: timeLabels(query) }),
      ...(sent.include?.imports !== undefined && { imports_included: false as const }),
      ...(query.attribution.models && { metrics: query.metrics.map(({ name }) => name) }),
      ...(plan.isApproximate && { approximate: true as const }),
      ...moneyNotes,
    },
    query: toEcho(sent, query),
  };
}

/** The row for the whole: zeros if nothing was counted. */
function findTotal({ rows, plan }: Found, query: Query): AnswerRow {
  const whole = rows.find(({ is_total: isTotal }) => isTotal === 1);
  if (whole !== undefined) return toAnswerRow(whole, plan);
  return { dimensions: [], metrics: query.metrics.map((metric) => zeroOf(metric, query)) };
}

function timeLabels({ dimensions, period }: Query): string[] {
  const time = dimensions.find((dimension) => dimension.of === 'time');
  return time === undefined ? [] : bucketLabels(time.unit, period);
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
    ...(query.comparedWith && { comparison_date_range: toAnsweredRange(query.comparedWith) }),
  };
}

type Results = QueryAnswer['results'];

/** A query's rows in another period. */
export type Earlier = { readonly period: Period; readonly rows: readonly AnswerRow[] };

/**
 * The rows of an answer, each with its values in another period.
 *
 * - Shape: rows are matched by their dimensions, and in time by position: the first day with the first, or the last
 *   with the last if the other period is directly before. A row without an earlier one is compared with zeros, and null
 *   for a ratio. A bucket without a counterpart is compared with nulls, without a label.
 * - Why from the end: the 31 days before October begin on the last of August, and October's month is September.
 */
export function compareWith(
  earlier: Earlier,
  query: Query,
  current: readonly AnswerRow[],
): Results {
  const earlierByKey = new Map(earlier.rows.map((row) => [row.dimensions.join('\0'), row]));
  const toEarlierKey = keyMap(query, earlier.period);
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
        change: row.metrics.map((value, index) => changeOf(metrics[index] ?? null, value)),
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
function keyMap(query: Query, previous: Period): (dimensions: string[]) => string[] {
  const isDirectlyBefore = previous.endsAt === query.period.startsAt;
  const earlierLabels = query.dimensions.map((dimension) => {
    if (dimension.of !== 'time') return undefined;
    const before = bucketLabels(dimension.unit, previous);
    const labels = bucketLabels(dimension.unit, query.period);
    const skipped = isDirectlyBefore ? before.length - labels.length : 0;
    return new Map(labels.map((label, index) => [label, before[index + skipped] ?? '']));
  });
  return (dimensions) =>
    dimensions.map((value, index) => earlierLabels[index]?.get(value) ?? value);
}

/** Percent, to two decimals; null without anything to compare with. */
function changeOf(before: MetricValue, after: MetricValue): number | null {
  const [from, to] = [toNumber(before), toNumber(after)];
  if (from === null || to === null || from === 0) return null;
  return Math.round((10_000 * (to - from)) / Math.abs(from)) / 100;
}

/** Money as a float is exact enough for a percentage. */
function toNumber(value: MetricValue): number | null {
  return typeof value === 'object' && value !== null ? Number(value.value) : value;
}
