import { assert } from '#domain/assert.ts';
import type { Bind } from '../../dimension.ts';
import { instant } from '../../query/sql/rows.ts';
import { wildcardSql } from '../../query/sql/wildcard.ts';
import { actsSql, type Sought } from './acts.ts';
import type { Step } from './step.ts';

/** Room for a bit for each step in a happening's number. */
export const CODE_STEPS = 256;

/** Which steps are looked for, and what is to be known of them. */
export type SoughtSteps = Sought & {
  readonly steps: readonly Step[];
  /** The first step must have happened before; milliseconds. */
  readonly firstBefore: number;
};

/**
 * SQL of all that happened in the period and is one of the steps, as {@link actsSql} has it: `code` is when
 * it happened (milliseconds), with a bit for each step that it is, the first the lowest.
 *
 * - Why one number: it sorts by time, and in the same millisecond by the order of the steps.
 */
export function happeningsSql(sought: SoughtSteps, bind: Bind): string {
  const rowsOf = (isTold: (step: Step) => boolean) => {
    const conditions = conditionsOf(sought, isTold, bind);
    if (conditions.length === 0) return undefined;
    const where = `(${conditions.map(({ sql }) => `(${sql})`).join(' OR ')})`;
    return { columns: (at: string) => ({ code: codeSql(at, conditions) }), where };
  };
  const events = rowsOf((step) => step.of !== 'payment');
  const payments = rowsOf((step) => step.of === 'payment');
  return actsSql(sought, { events, payments }, bind);
}

type Condition = { readonly sql: string; readonly bit: number };

/** SQL of each of the steps that a table can tell, with its place among all. */
function conditionsOf(
  { steps, firstBefore, plan }: SoughtSteps,
  isTold: (step: Step) => boolean,
  bind: Bind,
): Condition[] {
  assert(2 ** steps.length <= CODE_STEPS, 'each step has a bit');
  const isLimited = firstBefore < plan.period.endsAt;
  return steps.flatMap((step, bit) => {
    if (!isTold(step)) return [];
    const sql = stepSql(step, bind);
    const isFirst = bit === 0 && isLimited;
    return [{ bit, sql: isFirst ? `${sql} AND occurred_at < ${instant(firstBefore, bind)}` : sql }];
  });
}

/** SQL that holds for rows of `events`, or `payments`, that are a step. */
export function stepSql(step: Step, bind: Bind): string {
  switch (step.of) {
    case 'page':
      return `type = 'pageview' AND ${wildcardSql('path', step.pattern, bind)}`;
    case 'goal':
      return `type = 'goal' AND ${wildcardSql('name', step.pattern, bind)}`;
    case 'payment':
      return PAYMENTS[step.kind];
  }
}

const PAYMENTS = {
  any: 'amount_minor > 0',
  new: 'amount_minor > 0 AND renewal = 0',
  renewal: 'amount_minor > 0 AND renewal = 1',
  trial: 'amount_minor = 0',
} as const;

function codeSql(at: string, conditions: readonly Condition[]): string {
  const bits = conditions.map(({ sql, bit }) => `if(${sql}, ${2 ** bit}, 0)`);
  return `toInt64(${at}) * ${CODE_STEPS} + ${bits.join(' + ')}`;
}
