import { type MetricValue, QUERY_ROWS_MAX, type QueryAnswer } from '#contract/query.ts';
import { toBucketLabel } from '#domain/time/bucket-label.ts';
import { toBuckets } from '#domain/time/buckets.ts';
import type { Period } from '#domain/time/period.ts';
import { learnEffects } from './learn-effects.ts';
import type { ReportWarehouse } from './ports.ts';
import type { Question } from './question.ts';
import { toStatement } from './sql/statement.ts';
import { type AnswerRow, toAnswerRow, type WarehouseRow } from './to-answer-row.ts';

type Results = QueryAnswer['results'];

/**
 * The rows of an answer, each with what it was in another period.
 *
 * - Shape: rows meet by their dimensions, and in time by their position: the first day with the first.
 *   A row that was not there has a comparison of nulls, and a bucket
 *   without a counterpart one without a label.
 */
export async function compareWith(
  warehouse: ReportWarehouse,
  question: Question,
  period: Period,
  current: { readonly rows: readonly AnswerRow[]; readonly now: number },
): Promise<{ readonly results: Results; readonly question: Question }> {
  const previous = await learnEffects(warehouse, {
    ...question,
    period,
    comparedWith: undefined,
    page: { limit: QUERY_ROWS_MAX, offset: 0 },
  });
  const hasTime = question.dimensions.some((dimension) => dimension.of === 'time');
  const statement = toStatement(previous, current.now, hasTime ? {} : { among: question });
  const rows = await warehouse.select<WarehouseRow>(statement);
  const earlier = rows.map((row) => toAnswerRow(row, previous));
  const earlierByKey = new Map(earlier.map((row) => [row.dimensions.join('\0'), row]));

  const toEarlierKey = keyMap(question, previous);
  const results = current.rows.map((row) => {
    const dimensions = toEarlierKey(row.dimensions);
    const before = earlierByKey.get(dimensions.join('\0'));
    const metrics = before?.metrics ?? question.metrics.map(() => null);
    return {
      ...row,
      comparison: {
        dimensions,
        metrics,
        change: row.metrics.map((value, index) => changeOf(metrics[index] ?? null, value)),
      },
    };
  });
  return { results, question: previous };
}

/** The dimensions of the earlier row that a row is compared with. */
function keyMap(question: Question, previous: Question): (dimensions: string[]) => string[] {
  const earlierLabels = question.dimensions.map((dimension) => {
    if (dimension.of !== 'time') return undefined;
    const labels = ({ period }: Question) =>
      toBuckets(period, dimension.unit).map((at) =>
        toBucketLabel(at, dimension.unit, period.timeZone),
      );
    const before = labels(previous);
    return new Map(labels(question).map((label, index) => [label, before[index] ?? '']));
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
