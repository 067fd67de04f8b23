import type { MetricValue, QueryAnswer } from '#contract/query.ts';

/** The formats of a query's response, by media type. The first is the default. */
export const ANSWER_TYPES = {
  'application/json': 'json',
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
  'application/vnd.apache.parquet': 'Parquet',
  'application/vnd.apache.arrow.file': 'Arrow',
  'application/vnd.apache.arrow.stream': 'ArrowStream',
} as const;

/** A media type of a response. */
export type AnswerType = keyof typeof ANSWER_TYPES;

const NAMES = Object.keys(ANSWER_TYPES) as AnswerType[];

/**
 * Returns the media type that an `Accept` header prefers, or JSON if it accepts none of ours.
 *
 * - Source: RFC 9110, section 12.5.1.
 */
export function chooseAnswerType(accept: string | undefined): AnswerType {
  const wanted = (accept ?? '*/*').split(',').map((part) => {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const quality = parameters.find((text) => text.startsWith('q='))?.slice(2);
    return { range, quality: quality === undefined ? 1 : Number(quality) };
  });
  const qualityOf = (name: AnswerType) => {
    const ranges = [name, `${name.split('/')[0]}/*`, '*/*'];
    const found = ranges.map((range) => wanted.find((entry) => entry.range === range));
    return found.find((entry) => entry !== undefined)?.quality || 0;
  };
  const [best] = NAMES.toSorted((a, b) => qualityOf(b) - qualityOf(a));
  return best !== undefined && qualityOf(best) > 0 ? best : 'application/json';
}

/** Formats rows as NDJSON: one object per row, keyed by dimension and metric names. */
export function toNdjson({ results, meta, query }: QueryAnswer): string {
  const metrics = meta.metrics ?? query.metrics;
  const lines = results.map((row) => {
    const fields = {
      ...byName(query.dimensions, row.dimensions),
      ...byName(metrics, row.metrics),
      ...(row.comparison && {
        comparison: {
          ...byName(query.dimensions, row.comparison.dimensions),
          ...byName(metrics, row.comparison.metrics),
        },
        change: byName(metrics, row.comparison.change),
      }),
    };
    return `${JSON.stringify(fields)}\n`;
  });
  return lines.join('');
}

function byName(names: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name, index) => [name, values[index]]));
}

/**
 * Formats rows as CSV with a header row. Money is a decimal; its currency is in the header.
 *
 * - Shape: compared metrics follow their own column as `visitors (before)` and `visitors (change %)`.
 * - Why some texts start with an apostrophe: spreadsheets run a cell that starts with `=` and the like
 *   as a formula, and anybody can choose a referrer or campaign.
 * - Source: RFC 4180; OWASP, CSV Injection.
 */
export function toCsv({ results, meta, query }: QueryAnswer): string {
  const names = meta.metrics ?? query.metrics;
  const isCompared = query.comparison_date_range !== undefined;
  const currencies = names.map((_, index) => currencyOf(results, index));
  const metricHeads = names.flatMap((name, index) => {
    const currency = currencies[index];
    const head = currency === undefined ? name : `${name} (${currency})`;
    return isCompared ? [head, `${head} (before)`, `${name} (change %)`] : [head];
  });
  const rows = results.map((row) => [
    ...row.dimensions.map(toTextCell),
    ...row.metrics.flatMap((value, index) => [
      toNumberCell(value),
      ...(isCompared
        ? [
            toNumberCell(row.comparison?.metrics[index] ?? null),
            toNumberCell(row.comparison?.change[index] ?? null),
          ]
        : []),
    ]),
  ]);
  const heading = [...query.dimensions, ...metricHeads].map(toTextCell);
  return [heading, ...rows].map((cells) => `${cells.join(',')}\r\n`).join('');
}

function currencyOf(results: QueryAnswer['results'], index: number): string | undefined {
  for (const { metrics } of results) {
    const value = metrics[index];
    if (typeof value === 'object' && value !== null) return value.currency;
  }
  return undefined;
}

function toNumberCell(value: MetricValue): string {
  if (value === null) return '';
  return typeof value === 'object' ? value.value : String(value);
}

/** Finds places where a spreadsheet with another separator than commas would start a formula, even after a quote. */
const AFTER_SEPARATOR = /([;,|\t\r\n][\s\p{C}"']*)(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/gu;

/** A text as a cell of a CSV file, which no spreadsheet runs as a formula. */
export function toTextCell(cell: string): string {
  const text = cell.replace(AFTER_SEPARATOR, "$1'");
  const harmless = /^[\s\p{C}]*[=+\-@|%\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/u.test(text)
    ? `'${text}`
    : text;
  return /[",\r\n']|^\s|\s$/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
