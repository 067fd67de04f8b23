/** A table that a materialized view fills from `events`. */
export type View = {
  readonly table: string;
  /** The statement that creates the table. */
  readonly create: string;
  /** What its rows are grouped by, columns of the same name in `events`. */
  readonly keys: readonly string[];
  /** What grows when the same event is added once more; all else stays as it is. */
  readonly sums: readonly string[];
  /** All of its stored columns. */
  readonly columns: readonly string[];
  /** SQL of whether an event `e` makes a row. */
  readonly makesOf: string;
  /** SQL of its rows, from a table of events or a sub-select, of the events `e` for which `where` holds. */
  readonly select: (of: { readonly from: string; readonly where: string }) => string;
};
