import type { QueryAnswer, Query as SentQuery } from '#contract/query.ts';
import type { MoneyNotes } from '../find-money-notes.ts';
import { toCursor } from '../parse/cursor.ts';
import { toAnsweredRange } from '../parse/parse-fields.ts';
import type { Plan } from '../plan/plan.ts';
import type { Query } from '../query.ts';
import { compareWith, type Earlier } from './compare.ts';
import { bucketLabels, toAnswerRow, type WarehouseRow } from './to-answer-row.ts';

/** What the warehouse has of a query. */
export type Found = {
  readonly plan: Plan;
  /** One more than the page has, where there is another page. */
  readonly rows: readonly WarehouseRow[];
  readonly totalRows: number | undefined;
  readonly earlier: Earlier | undefined;
  readonly moneyNotes: MoneyNotes;
};

/** The answer to a query, as the contract has it. */
export function toAnswer(sent: SentQuery, query: Query, found: Found): QueryAnswer {
  const { plan, totalRows, earlier, moneyNotes } = found;
  const { limit } = query.page;
  const rows = found.rows.slice(0, limit);
  const last = found.rows.length > limit ? rows.at(-1) : undefined;
  const results = rows.map((row) => toAnswerRow(row, plan));
  return {
    results: earlier === undefined ? results : compareWith(earlier, query, results),
    meta: {
      ...(totalRows !== undefined && { total_rows: totalRows }),
      ...(last !== undefined && { next_cursor: toCursor(sent, query, last) }),
      ...(sent.include?.time_labels === true && { time_labels: timeLabels(query) }),
      ...(query.attribution.models && { metrics: query.metrics.map(({ name }) => name) }),
      ...(plan.isApproximate && { approximate: true as const }),
      ...moneyNotes,
    },
    query: toEcho(sent, query),
  };
}

function timeLabels({ dimensions, period }: Query): string[] {
  const time = dimensions.find((dimension) => dimension.of === 'time');
  return time === undefined ? [] : bucketLabels(time.unit, period);
}

/** The query as it was resolved, every default filled in. */
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
