import type { Database, Sql, SqlValue } from './sql.ts';

/** A table's rows in two databases: their number, and a sum over all of their numbers and lengths of texts. */
export type ComparedTable = {
  readonly table: string;
  readonly from: { readonly rows: number; readonly sum: string };
  readonly to: { readonly rows: number; readonly sum: string };
};

/** The names of the tables that a schema makes, each after those that it refers to. */
export function tablesOf(schema: string): string[] {
  return [...schema.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?("?\w+"?)/g)].map(
    ([, name = '']) => name,
  );
}

const PAGE_ROWS = 2_000;

type Column = Readonly<Record<'isNumber' | 'isText' | 'isKey', boolean>> & {
  readonly name: string;
};

/**
 * Replaces all rows of tables by those of another database, in one transaction on each side, and compares them. It can be
 * repeated.
 *
 * - Integers are copied as text, because they may be larger than an exact number.
 */
export async function copyTables(
  from: Database,
  to: Database,
  tables: readonly string[],
  onRows: (rows: number) => void,
): Promise<ComparedTable[]> {
  return from.snapshot((source) =>
    to.transaction(async (target) => {
      for (const table of tables.toReversed()) await target.run(`DELETE FROM ${table}`);
      const compared: ComparedTable[] = [];
      for (const table of tables) {
        const columns = common(await readColumns(source, table), await readColumns(target, table));
        await copyRows(source, target, table, columns, onRows);
        await continueNumbers(target, table, columns);
        const [own, copied] = [
          await sumUp(source, table, columns),
          await sumUp(target, table, columns),
        ];
        compared.push({ table, from: own, to: copied });
      }
      return compared;
    }),
  );
}

/** How many rows the tables have. */
export async function countRows(sql: Sql, tables: readonly string[]): Promise<number> {
  let rows = 0;
  for (const table of tables) {
    rows += Number((await sql.get(`SELECT count(*) AS n FROM ${table}`))?.n);
  }
  return rows;
}

async function copyRows(
  source: Sql,
  target: Sql,
  table: string,
  columns: readonly Column[],
  onRows: (rows: number) => void,
): Promise<void> {
  const names = columns.map(({ name }) => name);
  const read = columns.map(({ name, isNumber }) => (isNumber ? `CAST(${name} AS TEXT)` : name));
  const keys = columns.filter(({ isKey }) => isKey).map(({ name }) => name);
  const keysAt = columns.flatMap(({ isKey }, at) => (isKey ? [at] : []));
  const order = keys.length > 0 ? `ORDER BY ${keys.join(', ')} LIMIT ${PAGE_ROWS}` : '';
  const places = columns
    .filter(({ isKey }) => isKey)
    .map(({ isNumber }) => (isNumber ? 'CAST(? AS BIGINT)' : '?'));
  let last: SqlValue[] | undefined;
  do {
    const after = last === undefined ? '' : `WHERE (${keys.join(', ')}) > (${places.join(', ')})`;
    const rows = await source.arrays(
      `SELECT ${read.join(', ')} FROM ${table} ${after} ${order}`,
      ...(last ?? []),
    );
    await target.insert({ into: table, columns: names, rows });
    onRows(rows.length);
    const end = rows.length === PAGE_ROWS ? rows.at(-1) : undefined;
    last = end && keysAt.map((at) => end[at] ?? null);
  } while (last !== undefined);
}

async function readColumns(sql: Sql, table: string): Promise<Column[]> {
  const name = table.replaceAll('"', '');
  const rows =
    sql.dialect === 'sqlite'
      ? await sql.all('SELECT name, type, pk FROM pragma_table_info(?) ORDER BY cid', name)
      : await sql.all(
          `SELECT column_name AS name, data_type AS type, (
             SELECT count(*) FROM information_schema.table_constraints AS c
             JOIN information_schema.key_column_usage AS k USING (constraint_schema, constraint_name)
             WHERE c.constraint_type = 'PRIMARY KEY' AND c.table_schema = current_schema()
               AND c.table_name = columns.table_name AND k.column_name = columns.column_name) AS pk
           FROM information_schema.columns AS columns
           WHERE table_schema = current_schema() AND table_name = ? ORDER BY ordinal_position`,
          name,
        );
  return rows.map((row) => ({
    name: `"${row.name}"`,
    isNumber: /^(integer|bigint)$/i.test(String(row.type)),
    isText: /^text$/i.test(String(row.type)),
    isKey: Number(row.pk) > 0,
  }));
}

/** The columns of a table in both databases: where one has an instant or a truth value, neither counts as a number. */
function common(columns: readonly Column[], others: readonly Column[]): Column[] {
  return columns.map((column) => {
    const other = others.find(({ name }) => name === column.name);
    const isNumber = column.isNumber && other?.isNumber === true;
    return { ...column, isNumber, isText: column.isText && other?.isText === true };
  });
}

/** Lets PostgreSQL number further rows after the copied ones, as SQLite does by itself. */
async function continueNumbers(sql: Sql, table: string, columns: readonly Column[]): Promise<void> {
  const [key, ...others] = columns.filter(({ isKey }) => isKey);
  if (sql.dialect === 'sqlite' || key?.isNumber !== true || others.length > 0) return;
  const column = key.name.replaceAll('"', '');
  await sql.all(
    `SELECT setval(pg_get_serial_sequence(?, ?), greatest(1, (SELECT max(${key.name}) FROM ${table})))`,
    ...[table, column],
  );
}

async function sumUp(sql: Sql, table: string, columns: readonly Column[]) {
  const sums = columns.map(({ name, isNumber, isText }) => {
    if (isNumber) return `coalesce(sum(${name}), 0)`;
    return isText ? `coalesce(sum(length(${name})), 0)` : `count(${name})`;
  });
  const [row] = await sql.arrays(
    `SELECT count(*), ${sums.map((sum) => `CAST(${sum} AS TEXT)`).join(', ')} FROM ${table}`,
  );
  const [rows, ...all] = row ?? [];
  return { rows: Number(rows), sum: all.join(' ') };
}
