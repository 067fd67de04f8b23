import type { CompiledQuery, DatabaseConnection, Dialect, QueryResult } from 'kysely';
import type { Database, Sql, SqlValue } from './sql.ts';

/** A connection of Kysely's, and the transaction that is open on it. */
type Connection = DatabaseConnection & {
  sql: Sql;
  end?: (how: 'commit' | 'roll back') => Promise<void>;
};

/**
 * A database for better-auth, which builds its statements with Kysely.
 *
 * - Why not its own connection: on SQLite, its statements would be part of whatever transaction is open. Here they
 *   take turns.
 */
export async function toKysely(db: Database) {
  const kysely = await import('kysely');
  const isPostgres = db.dialect === 'postgres';
  const dialect: Dialect = {
    createAdapter: () => (isPostgres ? new kysely.PostgresAdapter() : new kysely.SqliteAdapter()),
    createQueryCompiler: () =>
      isPostgres ? new kysely.PostgresQueryCompiler() : new kysely.SqliteQueryCompiler(),
    createIntrospector: (own) =>
      isPostgres ? new kysely.PostgresIntrospector(own) : new kysely.SqliteIntrospector(own),
    createDriver: () => ({
      init: async () => {},
      acquireConnection: async () => toConnection(db),
      beginTransaction: (connection) => begin(db, connection as Connection),
      commitTransaction: async (connection) => (connection as Connection).end?.('commit'),
      rollbackTransaction: async (connection) => (connection as Connection).end?.('roll back'),
      releaseConnection: async () => {},
      destroy: async () => {},
    }),
  };
  return { dialect, type: db.dialect, transaction: true };
}

function toConnection(db: Database): Connection {
  return {
    sql: db,
    async executeQuery<R>({
      sql: text,
      parameters,
      query,
    }: CompiledQuery): Promise<QueryResult<R>> {
      const values = parameters as readonly SqlValue[];
      const isCounted =
        /^(Insert|Update|Delete)/.test(query.kind) && !('returning' in query && query.returning);
      if (isCounted)
        return { rows: [], numAffectedRows: BigInt(await this.sql.run(text, ...values)) };
      const rows = await this.sql.all(text, ...values);
      return { rows: rows as R[], numAffectedRows: BigInt(rows.length) };
    },
    streamQuery() {
      throw new Error('Answers come as a whole.');
    },
  };
}

/** Begins a transaction, which is open until its end is called. */
function begin(db: Database, connection: Connection): Promise<void> {
  return new Promise((begun, failed) => {
    const whole = db.transaction((sql) => {
      const ended = Promise.withResolvers<void>();
      connection.sql = sql;
      connection.end = async (how) => {
        connection.sql = db;
        if (how === 'commit') ended.resolve();
        else ended.reject(new RolledBack());
        await whole.catch((error: unknown) => {
          if (!(error instanceof RolledBack)) throw error;
        });
      };
      begun();
      return ended.promise;
    });
    whole.catch(failed);
  });
}

class RolledBack extends Error {}
