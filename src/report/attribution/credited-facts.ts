import { type Bind, UNATTRIBUTED } from '../dimension.ts';
import type { CreditedFact, Query } from '../query/query.ts';
import { DAY_MS } from '../query/sql/rows.ts';

/** What a fact counts for in `credit`, shared out or not: fine enough for four decimals. */
export const WHOLE_CREDIT = 10_000;

/** Facts that are to be credited. */
export type Facts = {
  readonly of: CreditedFact;
  /**
   * SQL of rows with a `person_id` and its `person_number`, and `credit_at`, the instant that a touch must not
   * be later than (milliseconds). Payments have amounts, as from converted.ts.
   */
  readonly rows: string;
  /** Cheaper rows with the same persons. */
  readonly persons: string;
};

/** The `credit_model` of facts that are credited alike by all models. */
export const ALL_MODELS = 0;

/** SQL of facts that are credited to nothing, as a query that names no visits has them. */
export function uncreditedSql(rows: string): string {
  return `SELECT *, toInt64(${WHOLE_CREDIT}) AS credit, toUInt8(${ALL_MODELS}) AS credit_model
    FROM (${rows})`;
}

/** SQL of facts with `window_at`, the first instant at which a touch counts. */
export function withWindowSql(rows: string, { attribution }: Query, bind: Bind): string {
  const { lookbackDays } = attribution;
  const windowAt =
    lookbackDays === null ? 'toInt64(0)' : `credit_at - ${bind(lookbackDays * DAY_MS, 'Int64')}`;
  return `SELECT *, ${windowAt} AS window_at FROM (${rows})`;
}

/** SQL of a text for what no visit can be named for. */
export const OF_NOBODY = `'${UNATTRIBUTED}'`;
