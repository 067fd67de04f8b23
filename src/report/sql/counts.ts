import type { AttributionModel } from '#domain/attribution/models.ts';
import { namesEvents } from '../filter.ts';
import type { Fact, Metric, Part } from '../metric.ts';
import type { Question } from '../question.ts';

/** One number that a statement counts, and the column it comes in. */
export type Count = {
  readonly column: string;
  readonly of: Fact;
  readonly sql: string;
  /** Counted as if the question named no event dimension. */
  readonly ignoresEvents: boolean;
  /** The model that it is credited by, if not the question's. */
  readonly model: AttributionModel | undefined;
};

/** The parts of a question's metrics as this question counts them, each once. */
export function toCounts(question: Question): Count[] {
  const parts = question.metrics.flatMap((metric) => Object.values(metric.parts));
  const sqls = new Map(parts.map((part) => [keyOf(part, question), asCounted(part, question)]));
  return [...sqls.values()].map((part, index) => ({
    column: `p${index}`,
    of: part.of,
    sql: part.sql,
    ignoresEvents: isCountedWithoutEvents(part, question),
    model: part.model,
  }));
}

/** SQL of a metric over the columns of its counts. */
export function metricSql(metric: Metric, counts: readonly Count[], question: Question): string {
  const columnsByKey = new Map(counts.map((count) => [countKey(count), count.column]));
  const columns = Object.entries(metric.parts).map(
    ([name, part]) => [name, columnsByKey.get(keyOf(part, question)) ?? ''] as const,
  );
  return metric.toSql(Object.fromEntries(columns));
}

/** Whether the question breaks down or filters by an event's dimension. */
export function isByEvent({ dimensions, filter }: Question): boolean {
  return namesEvents(filter) || dimensions.some((dimension) => dimension.of === 'event');
}

function keyOf(part: Part, question: Question): string {
  const { of, sql, model } = asCounted(part, question);
  return countKey({ of, sql, model, ignoresEvents: isCountedWithoutEvents(part, question) });
}

function countKey({ of, sql, ignoresEvents, model }: Omit<Count, 'column'>): string {
  return `${of} ${ignoresEvents} ${model ?? ''} ${sql}`;
}

function asCounted(part: Part, question: Question): Part {
  return isByEvent(question) ? (part.byEvent ?? part) : part;
}

/** Only where it makes a difference, so that equal numbers are counted once. */
function isCountedWithoutEvents(part: Part, question: Question): boolean {
  return part.ignoresEvents === true && isByEvent(question);
}
