import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { beginWrite, commit, rollBack } from '../durable-database.ts';
import type { Database, Insert, Sql, SqlRow, SqlValue } from './sql.ts';

/**
 * Statements on an SQLite connection. What is not part of a transaction waits until the running one has ended.
 *
 * - Why promises although SQLite has answered by then: one code serves both databases.
 */
export function toDatabase(db: DatabaseSync): Database {
  const direct = toSql(db);
  let running: Promise<unknown> | undefined;

  /** Runs `work` alone on the connection. */
  async function alone<T>(work: () => Promise<T>): Promise<T> {
    while (running !== undefined) await running;
    const run = work();
    running = run
      .catch(() => {})
      .then(() => {
        running = undefined;
      });
    return run;
  }

  /** Runs `work` at once if no transaction is running. */
  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    while (running !== undefined) await running;
    return work();
  }

  return {
    dialect: 'sqlite',
    all: (...asked) => inTurn(() => direct.all(...asked)),
    arrays: (...asked) => inTurn(() => direct.arrays(...asked)),
    get: (...asked) => inTurn(() => direct.get(...asked)),
    run: (...asked) => inTurn(() => direct.run(...asked)),
    insert: (asked) => inTurn(() => direct.insert(asked)),
    exec: (text) => inTurn(() => direct.exec(text)),
    transaction: (work) =>
      alone(async () => {
        beginWrite(db);
        let answer: Awaited<ReturnType<typeof work>>;
        try {
          answer = await work(direct);
        } catch (error) {
          rollBack(db);
          throw error;
        }
        commit(db);
        return answer;
      }),
    snapshot: (read) =>
      alone(async () => {
        db.exec('BEGIN');
        try {
          return await read(direct);
        } finally {
          if (db.isTransaction) db.exec('COMMIT'); // An unreadable file has ended the transaction.
        }
      }),
    close: () => alone(async () => db.close()),
  };
}

function toSql(db: DatabaseSync): Sql {
  const prepared = {
    objects: new Map<string, StatementSync>(),
    arrays: new Map<string, StatementSync>(),
  };
  function prepare(text: string, as: keyof typeof prepared = 'objects'): StatementSync {
    const known = prepared[as].get(text);
    if (known !== undefined) return known;
    const statement = db.prepare(text);
    if (as === 'arrays') statement.setReturnArrays(true);
    prepared[as].set(text, statement);
    return statement;
  }

  return {
    dialect: 'sqlite',
    all: async (text, ...values) => prepare(text).all(...values) as SqlRow[],
    arrays: async (text, ...values) =>
      prepare(text, 'arrays').all(...values) as unknown as SqlValue[][],
    get: async (text, ...values) => prepare(text).get(...values) as SqlRow | undefined,
    run: async (text, ...values) => Number(prepare(text).run(...values).changes),
    async insert({ into, columns, rows, end = '' }: Insert) {
      const places = columns.map(() => '?').join(', ');
      const statement = prepare(
        `INSERT INTO ${into} (${columns.join(', ')}) VALUES (${places}) ${end}`,
      );
      if (!end.includes('RETURNING')) {
        for (const values of rows) statement.run(...(values as SqlValue[]));
        return [];
      }
      return rows.flatMap((values) => statement.all(...(values as SqlValue[])) as SqlRow[]);
    },
    exec: async (text) => db.exec(text),
  };
}
