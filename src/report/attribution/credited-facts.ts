import { type Bind, UNATTRIBUTED } from '../dimension.ts';
import type { FactPlan } from '../query/plan/plan.ts';
import { DAY_MS } from '../query/sql/rows.ts';

/** Facts that are to be credited. */
export type Facts = {
  /**
   * SQL of rows with a `person_id` and its `person_number`, and `credit_at`, the instant that a touch must not
   * be later than (milliseconds). Payments have amounts, as from converted.ts.
   */
  readonly rows: string;
  /** Cheaper rows with the same persons. */
  readonly persons: string;
  /** The amounts that are shared out, without `_minor`. */
  readonly amounts: readonly string[];
};

/** SQL of facts with `window_at`, the first instant at which a touch counts. */
export function withWindowSql(
  rows: string,
  { lookbackDays }: Pick<FactPlan, 'lookbackDays'>,
  bind: Bind,
): string {
  return `SELECT *, ${windowAtSql(lookbackDays, bind)} AS window_at FROM (${rows})`;
}

/** SQL of the first instant at which a touch counts, over rows with a `credit_at`. */
export function windowAtSql(lookbackDays: number | null, bind: Bind): string {
  return lookbackDays === null
    ? 'toInt64(0)'
    : `credit_at - ${bind(lookbackDays * DAY_MS, 'Int64')}`;
}

/** SQL of a text for what no visit can be named for. */
export const OF_NOBODY = `'${UNATTRIBUTED}'`;
