/** A value that a statement takes or gives. Integers beyond 2^53 are given as text: `CAST(x AS TEXT)`. */
export type SqlValue = string | number | bigint | Uint8Array | null;

/** A row by column. */
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** Rows to insert, and what happens to those that are there already. */
export type Insert = {
  readonly into: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly SqlValue[])[];
  /** The statement's end: `ON CONFLICT …`, `RETURNING …`. With an update, no two rows may be the same. */
  readonly end?: string;
};

/**
 * Statements on a database, in SQLite's dialect as far as both databases understand it ({@link toPostgres}). Parameters
 * are `?`, or `?1`, `?2` … where one is used twice. Booleans come as 0 and 1.
 */
export interface Sql {
  readonly dialect: 'sqlite' | 'postgres';
  all(text: string, ...values: readonly SqlValue[]): Promise<SqlRow[]>;
  /** As `all`, with the values of each row in the order of the columns: for many rows, this takes half the time. */
  arrays(text: string, ...values: readonly SqlValue[]): Promise<SqlValue[][]>;
  /** The first row. */
  get(text: string, ...values: readonly SqlValue[]): Promise<SqlRow | undefined>;
  /** Returns the number of rows that have changed. */
  run(text: string, ...values: readonly SqlValue[]): Promise<number>;
  /** Inserts many rows. Returns what the end says, in the order of the rows. */
  insert(insert: Insert): Promise<SqlRow[]>;
  /** Runs several statements without parameters. */
  exec(text: string): Promise<void>;
}

/** A database, with a transaction for what belongs together. */
export interface Database extends Sql {
  /**
   * Runs `work` in a transaction: all of its changes are on disk when it resolves, or none. Work may run again if
   * another transaction was in its way, so it changes nothing but the database.
   */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** Runs reads that see the same state. */
  snapshot<T>(read: (sql: Sql) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Whether a location is the address of a PostgreSQL database. Others are paths of SQLite files. */
export function isPostgres(location: string): boolean {
  return /^postgres(ql)?:\/\//.test(location);
}
