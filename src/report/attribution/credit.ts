import { LATE_TOUCH_MAX_MS } from '#domain/attribution/find-path.ts';
import type { Bind } from '../dimension.ts';
import type { FactPlan } from '../query/plan/plan.ts';
import { NO_VISIT } from '../query/sql/rows.ts';
import { type Facts, OF_NOBODY, withWindowSql } from './credited-facts.ts';
import { splitCreditSql } from './split-credit.ts';
import { touchesSql } from './touches.ts';
import { WHOLE_CREDIT } from './whole-credit.ts';

/**
 * SQL of facts, each with the visits that get the credit for it: columns `credited_visit`, `v0, v1, …`
 * and `credit`, of {@link WHOLE_CREDIT}, beside the fact's own; a row for each visit that has a share.
 *
 * - Shape: a fact without a touch keeps its row, as `Unattributed`, so that rows sum to the whole. A
 *   person's touches are the visits of all their visitors. Facts that are credited to no visits have
 *   their `credit` alone.
 */
export function creditedSql(facts: Facts, plan: FactPlan, bind: Bind): string {
  const { credit } = plan;
  switch (credit.to) {
    case 'none':
      return `SELECT *, toInt64(${WHOLE_CREDIT}) AS credit FROM (${facts.rows})`;
    case 'first touch':
      return firstCreditSql(facts, plan, bind);
    case 'path':
      return splitCreditSql(facts, credit, plan, bind);
  }
}

/**
 * One join finds the touch: the first in the window, or the first that is a little late. Without a window it
 * is the person's first, whatever the payment.
 *
 * Why not as the other models: it is quicker, and asked most.
 */
function firstCreditSql({ rows, persons }: Facts, plan: FactPlan, bind: Bind): string {
  const isCredited = `first.touch_known = 1 AND first.touch_at <= fact.credit_at + ${LATE_TOUCH_MAX_MS}`;
  const isAnyTime = plan.lookbackDays === null;
  const dimensions = plan.values.visit;
  const touches = touchesSql(persons, dimensions, plan, { bind, isFirstEnough: isAnyTime });
  const values = dimensions.map(
    (_, index) => `, if(${isCredited}, first.v${index}, ${OF_NOBODY}) AS v${index}`,
  );
  return `
    SELECT fact.*, toInt64(${WHOLE_CREDIT}) AS credit,
      if(${isCredited}, first.touch_visit, ${NO_VISIT}) AS credited_visit${values.join('')}
    FROM (${withWindowSql(rows, plan, bind)}) AS fact
    ${isAnyTime ? 'ANY' : 'ASOF'} LEFT JOIN (${touches}) AS first
      ON fact.person_number = first.touch_person
        ${isAnyTime ? '' : 'AND fact.window_at <= first.touch_at'}`;
}
