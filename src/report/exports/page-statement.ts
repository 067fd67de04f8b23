import {
  EXPORT_COLUMNS,
  type Exported,
  type ExportedKind,
  PERSONAL_IN_EXPORTS,
} from '#contract/exports.ts';
import { NONE } from '#domain/row-labels.ts';
import type { Bind } from '../dimension.ts';
import type { ReportStatement } from '../ports.ts';
import { createBindings } from '../query/sql/rows.ts';

/** A column of an export. */
type ExportColumn = readonly [name: string, kind: ExportedKind];

/** The columns of an export, without personal ones for those who may not see them. */
export function exportColumnsOf(content: Exported, isPersonal: boolean): readonly ExportColumn[] {
  const columns: readonly ExportColumn[] = Object.entries(EXPORT_COLUMNS[content]);
  return columns.filter(([name]) => isPersonal || !PERSONAL_IN_EXPORTS.has(name));
}

/** The engine's type of each kind, the same in every page of a file. */
const TYPES: Readonly<Record<ExportedKind, string>> = {
  text: 'Nullable(String)',
  instant: "Nullable(DateTime64(3, 'UTC'))",
  count: 'UInt32',
  seconds: 'Float64',
  credit: 'Float64',
  flag: 'Bool',
  money: 'String',
  texts: 'Array(String)',
  props: 'Map(String, String)',
};

/** How a page is written: instants as ISO 8601, nothing for what is absent, and no index that moved pages would belie. */
const SETTINGS = [
  ...["date_time_output_format = 'iso'", "date_time_input_format = 'best_effort'"],
  'output_format_csv_crlf_end_of_line = 1',
  ...["format_csv_null_representation = ''", 'output_format_parquet_write_page_index = 0'],
  ...[
    'output_format_parquet_write_bloom_filter = 0',
    'output_format_json_escape_forward_slashes = 0',
  ],
].join(', ');

/** Rows as SQL: a FROM clause with its conditions, what each column is, and their order. */
type PageRows = {
  readonly from: string;
  readonly sqlOf: (name: string) => string;
  readonly orderBy?: readonly string[];
};

/** The same, with values bound to a statement. */
export type RowsOf = (bind: Bind) => PageRows;

/** The statement whose answer is a page of an export's columns. */
export function toPageStatement(
  columns: readonly ExportColumn[],
  isCsv: boolean,
  rows: RowsOf,
): ReportStatement {
  const { bind, params } = createBindings();
  const { from, sqlOf, orderBy = [] } = rows(bind);
  // Numbered, so that no name of ours hides a column of the table.
  const read = columns.map(([name, kind], index) => `${typed(sqlOf(name), kind)} AS c${index}`);
  const shown = columns.map(([name, kind], index) => {
    const value = `c${index}`;
    return `${isCsv ? cellSql(value, kind, bind) : value} AS ${name}`;
  });
  const order = orderBy.map((name) => `c${columns.findIndex(([each]) => each === name)}`);
  const sql = `
    SELECT ${shown.join(', ')}
    FROM (SELECT ${read.join(', ')} FROM ${from})
    ${order.length > 0 ? `ORDER BY ${order.join(', ')}` : ''}
    SETTINGS ${SETTINGS}`;
  return { sql, params };
}

function typed(sql: string, kind: ExportedKind): string {
  const value = kind === 'text' ? `nullIf(nullIf(toString(${sql}), ''), '${NONE}')` : sql;
  return `CAST(${value}, ${`'${TYPES[kind].replaceAll("'", "\\'")}'`})`;
}

/** As AFTER_SEPARATOR and the check behind it in api/queries/answer-formats.ts; a test holds both against each other. */
const SPACES = String.raw`\s\p{Z}\p{C}`;
const FORMULA = String.raw`=+\-@\x{FF1D}\x{FF0B}\x{FF0D}\x{FF20}`;
const AFTER_SEPARATOR = `([;,|\\t\\r\\n][${SPACES}"']*)([${FORMULA}])`;
const AT_START = `^[${SPACES}]*[|%${FORMULA}]|^[\\t\\r\\n]`;

/** SQL for a text that no spreadsheet runs as a formula. */
export function harmlessSql(text: string, bind: Bind): string {
  const inside = `replaceRegexpAll(${text}, ${bind(AFTER_SEPARATOR, 'String')}, ${bind("\\1'\\2", 'String')})`;
  return `replaceRegexpOne(${inside}, ${bind(AT_START, 'String')}, '\\'\\\\0')`;
}

/** SQL for a cell of a CSV file. Lists and properties are JSON. */
function cellSql(value: string, kind: ExportedKind, bind: Bind): string {
  if (kind === 'texts' || kind === 'props') return harmlessSql(`toJSONString(${value})`, bind);
  return kind === 'text' ? harmlessSql(value, bind) : value;
}

/** The columns' values of a row that is not in the warehouse, by their names. */
export type ExportedRow = Readonly<Record<string, unknown>>;

/** Rows from elsewhere. Their JSON is sent in base64, which cannot be anything else: bound values come in a URL, which is too short. */
export function fromRows(columns: readonly ExportColumn[], rows: readonly ExportedRow[]): PageRows {
  const places = new Map(columns.map(([name], index) => [name, `r${index}`]));
  const structure = columns.map(([name, kind]) => `${places.get(name)} ${TYPES[kind]}`).join(', ');
  const lines = (rows.length > 0 ? rows : [{}]).map((row) => {
    const values = columns.map(([name]) => [places.get(name), row[name] ?? undefined]);
    return JSON.stringify(Object.fromEntries(values));
  });
  const data = Buffer.from(lines.join('\n')).toString('base64');
  const from = `format(JSONEachRow, '${structure.replaceAll("'", "\\'")}', base64Decode('${data}'))`;
  return {
    // One line has to be there to be read.
    from: rows.length > 0 ? from : `${from} WHERE 0`,
    sqlOf: (name) => places.get(name) ?? name,
  };
}
