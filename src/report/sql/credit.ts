import { LATE_TOUCH_MAX_MS } from '#domain/attribution/find-path.ts';
import type { Bind, VisitDimension } from '../dimension.ts';
import type { Question } from '../question.ts';
import { type Facts, OF_NOBODY, WHOLE_CREDIT, withWindowSql } from './credited-facts.ts';
import { NO_VISIT } from './rows.ts';
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
  question: Question,
  bind: Bind,
): string {
  const { model } = question.attribution;
  switch (model) {
    case 'first_touch':
    case 'last_touch':
      return nearestCreditSql(facts, NEAREST[model], dimensions, { question, bind });
    case 'first_non_direct':
    case 'last_non_direct':
    case 'linear':
    case 'position_based':
    case 'time_decay':
    case 'data_driven':
      return splitCreditSql(facts, model, dimensions, { question, bind });
  }
}

/** One join finds the touch. Why not shared out: it is quicker, and these two are asked most. */
function nearestCreditSql(
  { rows, persons }: Facts,
  candidates: readonly Candidate[],
  dimensions: readonly VisitDimension[],
  { question, bind }: { readonly question: Question; readonly bind: Bind },
): string {
  const touches = candidates.map((candidate, index) => ({ ...candidate, name: `touch${index}` }));
  const joins = touches.map(
    ({ name, nearest }) => `
    ASOF LEFT JOIN (${touchesSql(persons, dimensions, question, { bind })}) AS ${name}
      ON fact.person_id = ${name}.touch_person AND ${nearest(`${name}.touch_at`)}`,
  );
  const choose = (column: string, otherwise: string) =>
    `multiIf(${touches
      .map(({ name, counts }) => {
        const isCredited = `${name}.touch_known = 1 AND ${counts(`${name}.touch_at`)}`;
        return `${isCredited}, ${name}.${column}`;
      })
      .join(', ')}, ${otherwise})`;
  const values = dimensions.map((_, index) => `, ${choose(`v${index}`, OF_NOBODY)} AS v${index}`);
  return `
    SELECT fact.*, toInt64(${WHOLE_CREDIT}) AS credit,
      ${choose('touch_visit', NO_VISIT)} AS credited_visit${values.join('')}
    FROM (${withWindowSql(rows, question, bind)}) AS fact${joins.join('')}`;
}

/** A touch that a join may find for a fact: which one, and whether it counts. */
type Candidate = {
  readonly nearest: (touchAt: string) => string;
  readonly counts: (touchAt: string) => string;
};

const isNotTooLate = (touchAt: string) => `${touchAt} <= fact.credit_at + ${LATE_TOUCH_MAX_MS}`;

/** The candidates of each model, the best first. */
const NEAREST: Readonly<Record<'first_touch' | 'last_touch', readonly Candidate[]>> = {
  first_touch: [{ nearest: (touchAt) => `fact.window_at <= ${touchAt}`, counts: isNotTooLate }],
  last_touch: [
    {
      nearest: (touchAt) => `fact.credit_at >= ${touchAt}`,
      counts: (touchAt) => `${touchAt} >= fact.window_at`,
    },
    { nearest: (touchAt) => `fact.credit_at < ${touchAt}`, counts: isNotTooLate },
  ],
};
