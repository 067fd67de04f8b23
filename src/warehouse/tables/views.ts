/** A table that a materialized view fills from `events`. */
export type Rollup = {
  readonly table: string;
  /** The statement that creates the table. */
  readonly create: string;
  /** Grouping columns, with the same names as in `events`. */
  readonly keys: readonly string[];
  /** Columns that change when the same event is added again. All others are idempotent. */
  readonly sums: readonly string[];
  /** All stored columns. */
  readonly columns: readonly string[];
  /** SQL condition for an event `e` to create a row. */
  readonly makesOf: string;
  /** SQL for its rows, from a table or subquery of events `e` that match `where`. */
  readonly select: (of: { readonly from: string; readonly where: string }) => string;
};
