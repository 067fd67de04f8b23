import { LATE_TOUCH_MAX_MS } from '#domain/attribution/find-path.ts';
import type { Bind, VisitDimension } from '../dimension.ts';
import type { Query } from '../query/query.ts';
import { NO_VISIT } from '../query/sql/rows.ts';
import { type Facts, OF_NOBODY, WHOLE_CREDIT, withWindowSql } from './credited-facts.ts';
import { splitCreditSql } from './split-credit.ts';
import { touchesSql } from './touches.ts';

/**
 * SQL of facts, each with the visits that get the credit for it: columns `credited_visit`, `v0, v1, …`
 * and `credit`, of {@link WHOLE_CREDIT}, beside the fact's own; a row for each visit that has a share.
 *
 * - Shape: a fact without a touch keeps its row, as `Unattributed`, so that rows sum to the whole. A
 *   person's touches are the visits of all their visitors.
 */
export function creditedSql(
  facts: Facts,
  dimensions: readonly VisitDimension[],
  query: Query,
  bind: Bind,
): string {
  const { model } = query.attribution;
  if (model === 'first_touch') return firstCreditSql(facts, dimensions, query, bind);
  const models = query.attribution.alongside ?? [model];
  return splitCreditSql(facts, models, dimensions, { query, bind });
}

/**
 * One join finds the touch: the first in the window, or the first that is a little late. Without a window it
 * is the person's first, whatever the payment.
 *
 * Why not as the other models: it is quicker, and asked most.
 */
function firstCreditSql(
  { rows, persons }: Facts,
  dimensions: readonly VisitDimension[],
  query: Query,
  bind: Bind,
): string {
  const isCredited = `first.touch_known = 1 AND first.touch_at <= fact.credit_at + ${LATE_TOUCH_MAX_MS}`;
  const isAnyTime = query.attribution.lookbackDays === null;
  const touches = touchesSql(persons, dimensions, query, { bind, isFirstEnough: isAnyTime });
  const values = dimensions.map(
    (_, index) => `, if(${isCredited}, first.v${index}, ${OF_NOBODY}) AS v${index}`,
  );
  return `
    SELECT fact.*, toInt64(${WHOLE_CREDIT}) AS credit,
      if(${isCredited}, first.touch_visit, ${NO_VISIT}) AS credited_visit${values.join('')}
    FROM (${withWindowSql(rows, query, bind)}) AS fact
    ${isAnyTime ? 'ANY' : 'ASOF'} LEFT JOIN (${touches}) AS first
      ON fact.person_number = first.touch_person
        ${isAnyTime ? '' : 'AND fact.window_at <= first.touch_at'}`;
}
