import { type Facts, withPathsSql } from '../../attribution/paths.ts';
import { type Bind, NONE } from '../../dimension.ts';
import type { FactPlan } from '../plan/plan.ts';

/**
 * SQL of payments, each with what the payer's last visit up to it tells: columns `w0, w1, …` for the
 * plan's dimensions that it tells; `(none)` where none does.
 *
 * - Shape: where no visit began before the payment, the first of the ten minutes after it, as for credit.
 * - Why all history, whatever the lookback window and the model: it says where somebody was, and not
 *   which visit gets the credit.
 */
export function withLastVisitSql({ rows, persons }: Facts, plan: FactPlan, bind: Bind): string {
  return plan.values.lastVisit.reduce((facts, { sql }, index) => {
    const paths = withPathsSql({ rows: facts, persons }, { ...plan, lookbackDays: null }, bind, {
      columns: { told: `toString(${sql})` },
      which: `${sql} != ''`,
    });
    return `
    SELECT * EXCEPT (within, behind, touch_path),
      if(empty(touch_path), '${NONE}', touch_path[-1].2) AS w${index}
    FROM (${paths})`;
  }, rows);
}
