import type { MetricValue, QueryAnswer } from '#contract/query.ts';
import type { Money } from '#contract/query-fields.ts';
import type { ToolAnswer } from './tool.ts';

type Row = QueryAnswer['results'][number];

/**
 * The answer to a query as a table: columns once, values alone in the rows, and the currency of all money beside them. A
 * third of the characters of the API's form.
 */
export function toAnswerTable({ results, totals, meta, query }: QueryAnswer): ToolAnswer {
  const metrics = meta.metrics ?? query.metrics;
  const [first] = results;
  const isCompared = first?.comparison !== undefined;
  const { total_rows, next_cursor: _, metrics: __, ...notes } = meta;
  return {
    period: query.date_range,
    timezone: query.timezone,
    ...(query.comparison_date_range && { compared_with: query.comparison_date_range }),
    ...toCurrency(totals ?? first),
    columns: [
      ...query.dimensions,
      ...metrics,
      ...(isCompared ? metrics.flatMap((name) => [`${name} before`, `${name} change %`]) : []),
    ],
    ...(totals && { totals: toCells(totals, query.dimensions.length) }),
    ...(Object.keys(notes).length > 0 && { notes }),
    rows: results.map((row) => toCells(row)),
    total_rows,
  };
}

/** A row's values. One without dimensions, such as the totals, has nulls in their place. */
function toCells({ dimensions, metrics, comparison }: Row, missing = 0): unknown[] {
  const names = dimensions.length === 0 ? Array<null>(missing).fill(null) : dimensions;
  const before = comparison?.metrics.flatMap((value, index) => [
    toCell(value),
    comparison.change[index] ?? null,
  ]);
  return [...names, ...metrics.map(toCell), ...(before ?? [])];
}

function toCell(value: MetricValue): string | number | null {
  return isMoney(value) ? value.value : value;
}

/** All money of an answer is in the site's currency. */
function toCurrency(row: Row | undefined) {
  const money = row?.metrics.find(isMoney);
  return money && { currency: money.currency };
}

function isMoney(value: MetricValue): value is Money {
  return typeof value === 'object' && value !== null;
}
