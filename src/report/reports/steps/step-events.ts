import { assert } from '#domain/assert.ts';
import { creditAtSql } from '../../attribution/credit-at.ts';
import type { Bind } from '../../dimension.ts';
import type { Scope } from '../../query/plan/plan.ts';
import { IS_SOMEBODY } from '../../query/sql/person-numbers.ts';
import { all, byPeople, instant, within } from '../../query/sql/rows.ts';
import { wildcardSql } from '../../query/sql/wildcard.ts';
import { withOpenVisitSql } from './open-visit.ts';
import type { Step, Who } from './step.ts';
import { eventsOfSql, joinWhoPaid, whoSql, whoText } from './who.ts';

/** Room for a bit for each step in a happening's number. */
export const CODE_STEPS = 256;

/** What is looked for, and what is to be known of it. */
export type Sought = {
  readonly steps: readonly Step[];
  readonly by: Who;
  /** Its period is all that is looked at. */
  readonly plan: Scope;
  /** The first step must have happened before; milliseconds. */
  readonly firstBefore: number;
  readonly tellsVisit: boolean;
  readonly tellsText: boolean;
};

/**
 * SQL of all that happened in the period and is one of the steps: `who`, and `code`, which is when it
 * happened (milliseconds), with a bit for each step that it is, the first the lowest.
 *
 * - Shape: `visit` is the one it belongs to, for a payment the one that was open; `who_text` whose it is.
 * - Why one number: it sorts by time, and in the same millisecond by the order of the steps.
 */
export function happeningsSql(sought: Sought, bind: Bind): string {
  const facts = [eventsSql(sought, bind), paymentsSql(sought, bind)];
  return facts.filter((sql) => sql !== undefined).join('\nUNION ALL\n');
}

function eventsSql(sought: Sought, bind: Bind): string | undefined {
  const { plan, by } = sought;
  const conditions = conditionsOf(sought, (step) => step.of !== 'payment', bind);
  if (conditions.length === 0) return undefined;
  const code = codeSql('toUnixTimestamp64Milli(occurred_at)', conditions);
  const columns = [`${code} AS code`, ...(sought.tellsVisit ? ['visit_id AS visit'] : [])];
  const where = all(
    within('occurred_at', plan, bind),
    byPeople(plan),
    IS_SOMEBODY,
    anyOf(conditions),
  );
  return eventsOfSql(by, plan, { columns, where, tellsText: sought.tellsText }, bind);
}

function paymentsSql(sought: Sought, bind: Bind): string | undefined {
  const { plan, by } = sought;
  const conditions = conditionsOf(sought, (step) => step.of === 'payment', bind);
  if (conditions.length === 0) return undefined;
  const at = creditAtSql(plan, bind); // A date alone stands for the end of its day.
  const more = sought.tellsText ? `, ${whoText(by, plan)} AS who_text` : '';
  const where = all(
    within('occurred_at', plan, bind),
    "kind = 'payment'",
    `${whoText(by, plan)} != ''`,
    anyOf(conditions),
  );
  const from = `FROM payments FINAL ${joinWhoPaid(by, plan, bind)} WHERE ${where}`;
  const code = codeSql(at, conditions);
  if (!sought.tellsVisit)
    return `SELECT ${whoSql(by, plan)} AS who, ${code} AS code${more} ${from}`;
  const made = `SELECT ${whoSql(by, plan)} AS who, ${at} AS at, ${code} AS code${more} ${from}`;
  return `SELECT who, code, visit${sought.tellsText ? ', who_text' : ''}
    FROM (${withOpenVisitSql(made, by, plan, bind)})`;
}

type Condition = { readonly sql: string; readonly bit: number };

/** SQL of each of the steps that a table can tell, with its place among all. */
function conditionsOf(
  { steps, firstBefore, plan }: Sought,
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

function anyOf(conditions: readonly Condition[]): string {
  return `(${conditions.map(({ sql }) => `(${sql})`).join(' OR ')})`;
}

function codeSql(at: string, conditions: readonly Condition[]): string {
  const bits = conditions.map(({ sql, bit }) => `if(${sql}, ${2 ** bit}, 0)`);
  return `toInt64(${at}) * ${CODE_STEPS} + ${bits.join(' + ')}`;
}
