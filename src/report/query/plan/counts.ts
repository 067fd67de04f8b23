import type { AttributionModel } from '#domain/attribution/models.ts';
import type { Fact, Metric, Part } from '../../metric.ts';
import { namesEvents } from '../filter.ts';
import type { Query } from '../query.ts';

/** One number that a statement counts, and the column it comes in. */
export type Count = {
  readonly column: string;
  readonly of: Fact;
  readonly sql: string;
  /** Counted as if the query named no event dimension. */
  readonly ignoresEvents: boolean;
  /** The model that it is credited by, if not the query's. */
  readonly model: AttributionModel | undefined;
};

/** The parts of a query's metrics as this query counts them, each once. */
export function toCounts(query: Query): Count[] {
  const parts = query.metrics.flatMap((metric) => Object.values(metric.parts));
  const sqls = new Map(parts.map((part) => [keyOf(part, query), asCounted(part, query)]));
  return [...sqls.values()].map((part, index) => ({
    column: `p${index}`,
    of: part.of,
    sql: part.sql,
    ignoresEvents: isCountedWithoutEvents(part, query),
    model: part.model,
  }));
}

/** SQL of a metric over the columns of its counts. */
export function metricSql(metric: Metric, counts: readonly Count[], query: Query): string {
  const columnsByKey = new Map(counts.map((count) => [countKey(count), count.column]));
  const columns = Object.entries(metric.parts).map(
    ([name, part]) => [name, columnsByKey.get(keyOf(part, query)) ?? ''] as const,
  );
  return metric.toSql(Object.fromEntries(columns));
}

/** Whether the query breaks down or filters by an event's dimension. */
export function isByEvent({ dimensions, filter }: Query): boolean {
  return namesEvents(filter) || dimensions.some((dimension) => dimension.of === 'event');
}

function keyOf(part: Part, query: Query): string {
  const { of, sql, model } = asCounted(part, query);
  return countKey({ of, sql, model, ignoresEvents: isCountedWithoutEvents(part, query) });
}

function countKey({ of, sql, ignoresEvents, model }: Omit<Count, 'column'>): string {
  return `${of} ${ignoresEvents} ${model ?? ''} ${sql}`;
}

function asCounted(part: Part, query: Query): Part {
  return isByEvent(query) ? (part.byEvent ?? part) : part;
}

/** Only where it makes a difference, so that equal numbers are counted once. */
function isCountedWithoutEvents(part: Part, query: Query): boolean {
  return part.ignoresEvents === true && isByEvent(query);
}
