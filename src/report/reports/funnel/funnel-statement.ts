import type { Bind } from '../../dimension.ts';
import { createBindings } from '../../query/sql/bindings.ts';
import { columns, type FactSql } from '../../query/sql/rows.ts';
import type { Statement } from '../../query/sql/statement.ts';
import { beginningSql, neededOfBeginning } from '../steps/beginning.ts';
import { paidBySql, revenueSql } from '../steps/paid-by.ts';
import { reachOf } from '../steps/step.ts';
import { happeningsSql, type SoughtSteps } from '../steps/step-events.ts';
import type { FunnelPlan } from './parse-funnel.ts';
import { atSql, triesSql } from './tries.ts';

/** A row of a funnel's answer: `d0, …` besides, for the dimensions. */
export type FunnelRow = Readonly<Record<string, string>> & {
  /** How many came to each step. */
  readonly reached: readonly string[];
  /** Medians from the step before, and from the first, for the second step and on: milliseconds. */
  readonly step_ms: readonly (number | null)[];
  readonly total_ms: readonly (number | null)[];
  readonly minor: string;
  readonly total_rows: string;
};

/** The statement that answers a funnel, by rows of {@link FunnelRow}. */
export function toFunnelStatement(funnel: FunnelPlan): Statement {
  const { bind, params } = createBindings();
  const { plan, steps } = funnel;
  const { from, where, toValue } = factSql(funnel, bind);
  const keys = columns('d', plan.dimensions);
  const values = plan.dimensions.map((each, index) => `${toValue(each)} AS d${index}`);
  const reached = steps.map((_, index) => `countIf(level > ${index})`);
  const medians = (since: (step: number) => number) =>
    steps.slice(1).map((_, index) => {
      const ms = `${atSql(`took.${index + 2}`)} - ${atSql(`took.${since(index + 2)}`)}`;
      return `quantileExactInclusiveIf(0.5)(${ms}, level > ${index + 1})`;
    });
  const sql = `
    SELECT ${[
      ...values,
      `[${reached.join(', ')}] AS reached`,
      `[${medians((step) => step - 1).join(', ')}] AS step_ms`,
      `[${medians(() => 1).join(', ')}] AS total_ms`,
      'toString(sum(minor)) AS minor',
      'count() OVER () AS total_rows',
    ].join(', ')}
    FROM ${from}
    WHERE ${where}
    ${keys.length > 0 ? `GROUP BY ${keys.join(', ')}` : ''}
    ORDER BY ${['reached DESC', ...keys].join(', ')}
    LIMIT ${bind(funnel.limit, 'UInt64')}`;
  return { sql, params };
}

/**
 * Everybody who began, with the try that counts and, of those who came to its end, what they paid.
 *
 * Why a condition in the join: most never finish, and then nothing is looked up for them.
 */
function factSql(funnel: FunnelPlan, bind: Bind): FactSql {
  const { plan, steps, window, by } = funnel;
  const sought: SoughtSteps = {
    ...{ steps, by },
    plan: { ...plan, period: reachOf(plan.period, window) },
    firstBefore: plan.period.endsAt,
    ...neededOfBeginning(plan),
  };
  const rows = `
    SELECT * EXCEPT (paid_who, outlays),
      ${revenueSql(atSql('took.1'), window, bind)} AS minor
    FROM (${triesSql(sought, window, bind)}) AS tried
    LEFT JOIN (${paidBySql(by, window, sought.plan, bind)}) AS money
      ON if(level = ${steps.length}, who, 0) = paid_who`;
  const first = { ...sought, steps: steps.slice(0, 1), tellsVisit: false };
  return beginningSql(rows, happeningsSql(first, bind), { by, plan, bind });
}
