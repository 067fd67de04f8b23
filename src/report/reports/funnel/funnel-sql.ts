import type { Funnel } from '#contract/reports/funnel.ts';
import type { Bind } from '../../dimension.ts';
import type { BaseQuery } from '../../query/query.ts';
import { createBindings } from '../../query/sql/bindings.ts';
import { columns, type FactSql } from '../../query/sql/rows.ts';
import type { Statement } from '../../query/sql/statement.ts';
import type { Planned } from '../report-kind.ts';
import { beginningSql, needsBegunVisit } from '../steps/beginning.ts';
import { paidBySql, revenueSql } from '../steps/paid-by.ts';
import { type Window, withReach } from '../steps/step.ts';
import { atSql, attemptsSql, stepActionsSql } from './attempts.ts';

/** A funnel, parsed. */
export type FunnelQuery = {
  readonly asked: Funnel & Required<Pick<Funnel, 'within' | 'by' | 'dimensions' | 'limit'>>;
  readonly window: Window;
  readonly query: BaseQuery;
};

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
export function toFunnelStatement(funnel: Planned<FunnelQuery>): Statement {
  const { bind, params } = createBindings();
  const { dimensions } = funnel.plan;
  const { steps, limit } = funnel.asked;
  const { from, where, toValue } = factSql(funnel, bind);
  const keys = columns('d', dimensions);
  const values = dimensions.map((each, index) => `${toValue(each)} AS d${index}`);
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
    LIMIT ${bind(limit, 'UInt64')}`;
  return { sql, params };
}

/**
 * Everybody who began, with the attempt that counts and, of those who came to its end, what they paid.
 *
 * Why a condition in the join: most never finish, and then nothing is looked up for them.
 */
function factSql({ plan, asked: { steps }, window }: Planned<FunnelQuery>, bind: Bind) {
  const reach = withReach(plan, window);
  const needsVisit = needsBegunVisit(plan);
  const before = plan.period.endsAt;
  const rows = `
    SELECT * EXCEPT (payer, outlays), ${revenueSql(atSql('took.1'), window, bind)} AS minor
    FROM (${attemptsSql({ steps, before, needsVisit }, window, reach, bind)}) AS tried
    LEFT JOIN (${paidBySql(window, reach, bind)}) AS money
      ON if(level = ${steps.length}, person_number, 0) = payer`;
  const first = { steps: steps.slice(0, 1), before, needsVisit: false };
  const fact: FactSql = beginningSql(rows, stepActionsSql(first, reach, bind), { plan, bind });
  return fact;
}
