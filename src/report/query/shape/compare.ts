import type { MetricValue, QueryAnswer } from '#contract/query.ts';
import type { Period } from '#domain/time/period.ts';
import type { Query } from '../query.ts';
import { type AnswerRow, bucketLabels } from './to-answer-row.ts';

type Results = QueryAnswer['results'];

/** A query's rows in another period. */
export type Earlier = { readonly period: Period; readonly rows: readonly AnswerRow[] };

/**
 * The rows of an answer, each with what it was in another period.
 *
 * - Shape: rows meet by their dimensions, and in time by their position: the first day with the first.
 *   A row that was not there has a comparison of nulls, and a bucket
 *   without a counterpart one without a label.
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
    const metrics = before?.metrics ?? query.metrics.map(() => null);
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

/** The dimensions of the earlier row that a row is compared with. */
function keyMap(query: Query, previous: Period): (dimensions: string[]) => string[] {
  const earlierLabels = query.dimensions.map((dimension) => {
    if (dimension.of !== 'time') return undefined;
    const before = bucketLabels(dimension.unit, previous);
    const labels = bucketLabels(dimension.unit, query.period);
    return new Map(labels.map((label, index) => [label, before[index] ?? '']));
  });
  return (dimensions) =>
    dimensions.map((value, index) => earlierLabels[index]?.get(value) ?? value);
}

/** Percent, to two decimals; null where there is nothing to compare with. */
function changeOf(before: MetricValue, after: MetricValue): number | null {
  const [from, to] = [toNumber(before), toNumber(after)];
  if (from === null || to === null || from === 0) return null;
  return Math.round((10_000 * (to - from)) / Math.abs(from)) / 100;
}

/** Money as a float is exact enough for a percentage. */
function toNumber(value: MetricValue): number | null {
  return typeof value === 'object' && value !== null ? Number(value.value) : value;
}
