import type { Bind } from '../dimension.ts';
import type { Question } from '../question.ts';
import { createBindings } from './bindings.ts';
import { type Ahead, type By, findBy, quarterSql, type ToldApart } from './counted-by.ts';
import { all } from './rows.ts';
import type { Statement } from './statement.ts';

/** How many visitors were counted with a value, as {@link toCountedStatement} answers. */
export type CountedRow = {
  readonly shown: string;
  readonly total: string;
  /** The engine's name of what type the value is. */
  readonly type: string;
};

/** The same of all values. */
export type CountedRows = {
  readonly type: string;
  readonly texts: readonly string[];
  readonly totals: readonly number[];
};

/** Types that values come in. */
const TYPES = /^(?:String|LowCardinality\(String\)|U?Int(?:8|16|32|64))$/;

/** Rows that can stand in a statement; `undefined` where there are none, or of a type that is none of values. */
export function toCountedRows(rows: readonly CountedRow[]): CountedRows | undefined {
  const type = rows[0]?.type ?? '';
  if (!TYPES.test(type)) return undefined;
  return {
    type,
    texts: rows.map(({ shown }) => shown),
    totals: rows.map(({ total }) => Number(total)),
  };
}

/**
 * SQL of a `value` and an `amount`: visitors who were counted ahead.
 *
 * - Shape: `told` as {@link findBy} made `by` of it.
 * - Why recalled ones where there are any: what a run counted never changes.
 */
export function countedVisitorsSql(
  by: By,
  told: ToldApart,
  question: Question,
  bind: Bind,
): string {
  const rows = question.recallCounts?.(toCountedStatement(told, question));
  if (rows === undefined) return readSql(by, told.ahead, question, bind);
  const values = `CAST(${bind(rows.texts, 'Array(String)')}, 'Array(${rows.type})')`;
  return `
    SELECT tupleElement(row, 1) AS value, tupleElement(row, 2) AS amount
    FROM (SELECT arrayJoin(arrayZip(${values}, ${bind(rows.totals, 'Array(UInt64)')})) AS row)`;
}

/** The statement whose rows, as long as these runs are what counts, are the same. */
function toCountedStatement(told: ToldApart, question: Question): Statement {
  const { bind, params } = createBindings();
  const by = findBy(question, told, bind);
  if (by === undefined) throw new Error('counted by nothing');
  const sql = `SELECT toString(value) AS shown, toString(sum(amount)) AS total, any(toTypeName(value)) AS type
    FROM (${readSql(by, told.ahead, question, bind)}) GROUP BY value`;
  return { sql, params };
}

function readSql({ value, shown, isNew }: By, ahead: Ahead, question: Question, bind: Bind) {
  return `
    SELECT shown AS value, amount
    FROM (SELECT ${shown} AS shown, amount FROM settled_counts
      WHERE ${all(isCounted(ahead, question, bind), `counted = ${bind(value.name, 'String')}`, isNew)})`;
}

/** SQL of which rows of `settled_counts` are of a period, and count. */
export function isCounted({ period, runs }: Ahead, { site }: Question, bind: Bind): string {
  return all(
    `site_id = ${bind(site.id, 'String')}`,
    `quarter >= ${quarterSql(period.startsAt, bind)} AND quarter < ${quarterSql(period.endsAt, bind)}`,
    `run IN ${bind(runs, 'Array(UInt64)')}`,
  );
}
