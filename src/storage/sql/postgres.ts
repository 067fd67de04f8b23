import { createRequire } from 'node:module';
import type pg from 'pg';
import { UnavailableError } from '#domain/unavailable.ts';
import type { Database, Insert, Sql, SqlRow } from './sql.ts';
import { toPostgres } from './to-postgres.ts';

/** Loads the driver with the first database: most servers have none, and its 35 modules are a tenth of a command. */
const loadDriver = (): typeof pg => (driver ??= createRequire(import.meta.url)('pg'));
let driver: typeof pg | undefined; // Even a loaded module is searched for whenever it is asked for.

/** Connections of one pool. A process has a few pools: one for each thread that needs the database. */
const CONNECTIONS_MAX = 4;
const CONNECT_MAX_MS = 5_000;
/** A statement that takes longer is ended, so that a slow server cannot hold requests for ever. */
const STATEMENT_MAX_MS = 30_000;
/** How often a transaction is tried that others are in the way of. */
const TRIES_MAX = 5;

/** PostgreSQL's number for a type, by which answers are read. */
const [BOOL, INT8, NUMERIC, TIMESTAMPTZ] = [16, 20, 1700, 1184];

/**
 * Opens the PostgreSQL database at a URL. It connects with the first statement. With `isTyped`, booleans and
 * instants come as such, not as 0 and 1 and texts.
 */
export function openPostgres(url: string, { isTyped = false } = {}): Database {
  const pool = new (loadDriver().Pool)({
    ...{ connectionString: url, max: CONNECTIONS_MAX, connectionTimeoutMillis: CONNECT_MAX_MS },
    ...{ application_name: 'tributary', statement_timeout: STATEMENT_MAX_MS },
    allowExitOnIdle: true,
    ...{ idle_in_transaction_session_timeout: STATEMENT_MAX_MS, keepAlive: true },
    types: { getTypeParser: isTyped ? numberParserOf : typeParserOf },
  });
  pool.on('error', () => {}); // The next statement gets another connection, or says what is wrong.
  pool.on('connect', (client) => client.on('error', () => {})); // So does one in a transaction.
  const typesByTable = new Map<string, Promise<ReadonlyMap<string, string>>>();

  /** The types of a table's columns. They do not change while the program runs. */
  function typesOf(sql: Sql, table: string): Promise<ReadonlyMap<string, string>> {
    const types = typesByTable.get(table) ?? readTypes(sql, table);
    typesByTable.set(table, types);
    types.catch(() => typesByTable.delete(table));
    return types;
  }

  function toSql(queryable: pg.Pool | pg.PoolClient): Sql {
    async function query(
      text: string,
      values?: readonly unknown[],
      rowMode?: 'array',
    ): Promise<pg.QueryResult> {
      try {
        return await queryable.query({
          text,
          values: values as unknown[],
          rowMode: rowMode as 'array',
        });
      } catch (error) {
        throw isUnavailable(error) ? cannotReach(error) : error;
      }
    }
    const sql: Sql = {
      dialect: 'postgres',
      all: async (text, ...values) => (await query(toPostgres(text), values)).rows,
      arrays: async (text, ...values) => (await query(toPostgres(text), values, 'array')).rows,
      get: async (text, ...values) => (await query(toPostgres(text), values)).rows[0],
      run: async (text, ...values) => (await query(toPostgres(text), values)).rowCount ?? 0,
      async insert({ into, columns, rows, end = '' }: Insert) {
        if (rows.length === 0) return [];
        const types = await typesOf(sql, unquoted(into));
        const lists = columns.map((column, at) => `$${at + 1}::${types.get(unquoted(column))}[]`);
        const text = `INSERT INTO ${into} (${columns.join(', ')})
          SELECT * FROM unnest(${lists.join(', ')}) ${end}`;
        return (
          await query(
            text,
            columns.map((_, at) => rows.map((row) => row[at])),
          )
        ).rows;
      },
      exec: async (text) => void (await query(text)),
    };
    return sql;
  }

  async function begin<T>(opening: string, work: (sql: Sql) => Promise<T>): Promise<T> {
    const client = await pool.connect().catch((error: unknown) => {
      throw cannotReach(error);
    });
    const sql = toSql(client);
    try {
      await sql.exec(opening);
      const answer = await work(sql);
      await sql.exec('COMMIT');
      client.release();
      return answer;
    } catch (error) {
      client.release(!(await rollsBack(client))); // A broken connection is not used again.
      throw error;
    }
  }

  return {
    ...toSql(pool),
    async transaction(work) {
      for (let tried = 1; ; tried++) {
        try {
          return await begin('BEGIN', work);
        } catch (error) {
          if (tried === TRIES_MAX || !isInTheWay(error)) throw error;
        }
      }
    },
    snapshot: (read) => begin('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', read),
    async close() {
      if (!pool.ended) await pool.end();
    },
  };
}

const unquoted = (name: string) => name.replaceAll('"', '');

async function readTypes(sql: Sql, table: string): Promise<ReadonlyMap<string, string>> {
  const rows: SqlRow[] = await sql.all(
    `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
     WHERE attrelid = to_regclass(quote_ident(?)) AND attnum > 0`,
    table,
  );
  return new Map(rows.map(({ name, type }) => [String(name), String(type)]));
}

/** Integers are numbers, as far as they are exact; booleans are 0 and 1 and instants ISO texts, as SQLite has them. */
function typeParserOf(type: number, format?: 'text' | 'binary') {
  if (type === BOOL) return (text: string) => (text === 't' ? 1 : 0);
  const parse = numberParserOf(type, format);
  return type === TIMESTAMPTZ ? (text: string) => (parse(text) as Date).toISOString() : parse;
}

function numberParserOf(type: number, format?: 'text' | 'binary') {
  if (type === INT8 || type === NUMERIC) return toNumber;
  return loadDriver().types.getTypeParser(type, format as 'text');
}

function toNumber(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && !Number.isSafeInteger(number)) {
    throw new RangeError(`${text} is not exact as a number.`);
  }
  return number;
}

async function rollsBack(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query('ROLLBACK');
    return true;
  } catch {
    return false;
  }
}

function cannotReach(error: unknown): UnavailableError {
  return new UnavailableError('The database cannot be used right now.', error);
}

const codeOf = (error: unknown) => String((error as { code?: unknown }).code ?? '');

/** Serialization failures and deadlocks: the transaction can be tried again. */
const isInTheWay = (error: unknown) => ['40001', '40P01'].includes(codeOf(error));

/**
 * Whether the server is gone, starting, stopping, full, read-only or too slow.
 *
 * Source: https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
function isUnavailable(error: unknown): boolean {
  if (!(error instanceof loadDriver().DatabaseError)) return true; // The connection, not a statement.
  return /^(08|53|57|58|25006|55P03|XX)/.test(codeOf(error));
}
