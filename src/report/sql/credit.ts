import { type Bind, UNATTRIBUTED, type VisitDimension } from '../dimension.ts';
import type { AttributionModel, Question } from '../question.ts';
import { isVisitorOf, joinPersons, PERSON } from './persons.ts';
import { byPeople, DAY_MS, NO_VISIT, visitColumns } from './rows.ts';

/**
 * How long after a payment a visit may begin and still be credited, when no visit began before it.
 *
 * Why at all: a payment may be reported before its visitor's first pageview is, and clocks differ.
 * Why ten minutes: the skew of a visitor's clock that is left alone.
 */
export const LATE_TOUCH_MAX_MS = 10 * 60 * 1_000;

/**
 * SQL of facts, each with the visit that gets the credit for it: columns `credited_visit` and
 * `v0, v1, …` beside the fact's own.
 *
 * - Shape: `facts` are rows with a `person_id` and `credit_at`, the instant that a touch must
 *   not be later than (milliseconds). A fact without a touch keeps its row, as `Unattributed`, so that
 *   rows sum to the whole.
 *   `persons` are cheaper rows with the same persons. A person's touches are the visits of all
 *   their visitors.
 * - Why a touch counts from the visit's first event, if that is earlier than its start: the start
 *   comes from the visitor's clock, which may run minutes ahead of ours.
 */
export function creditedSql(
  facts: string,
  dimensions: readonly VisitDimension[],
  question: Question,
  bind: Bind,
  persons = facts,
): string {
  const { model, lookbackDays } = question.attribution;
  const windowAt =
    lookbackDays === null ? 'toInt64(0)' : `credit_at - ${bind(lookbackDays * DAY_MS, 'Int64')}`;
  const touches = CANDIDATES[model].map((candidate, index) => ({
    ...candidate,
    name: `touch${index}`,
  }));
  const joins = touches.map(
    ({ name, nearest }) => `
    ASOF LEFT JOIN (${touchesSql(persons, dimensions, question, bind)}) AS ${name}
      ON fact.person_id = ${name}.touch_person AND ${nearest(`${name}.touch_at`)}`,
  );
  const choose = (column: string, otherwise: string) =>
    `multiIf(${touches
      .map(({ name, counts }) => {
        const isCredited = `${name}.touch_known = 1 AND ${counts(`${name}.touch_at`)}`;
        return `${isCredited}, ${name}.${column}`;
      })
      .join(', ')}, ${otherwise})`;
  const values = dimensions.map(
    (_, index) => `, ${choose(`v${index}`, `'${UNATTRIBUTED}'`)} AS v${index}`,
  );
  return `
    SELECT fact.*, ${choose('touch_visit', NO_VISIT)} AS credited_visit${values.join('')}
    FROM (SELECT *, ${windowAt} AS window_at FROM (${facts})) AS fact${joins.join('')}`;
}

/** A touch that a join may find for a fact: which one, and whether it counts. */
type Candidate = {
  readonly nearest: (touchAt: string) => string;
  readonly counts: (touchAt: string) => string;
};

const isNotTooLate = (touchAt: string) => `${touchAt} <= fact.credit_at + ${LATE_TOUCH_MAX_MS}`;

/** The candidates of each model, the best first. */
const CANDIDATES: Readonly<Record<AttributionModel, readonly Candidate[]>> = {
  first_touch: [{ nearest: (touchAt) => `fact.window_at <= ${touchAt}`, counts: isNotTooLate }],
  last_touch: [
    {
      nearest: (touchAt) => `fact.credit_at >= ${touchAt}`,
      counts: (touchAt) => `${touchAt} >= fact.window_at`,
    },
    { nearest: (touchAt) => `fact.credit_at < ${touchAt}`, counts: isNotTooLate },
  ],
};

/** The visits of these rows' persons. Of visits that began in the same millisecond, one. */
function touchesSql(
  persons: string,
  dimensions: readonly VisitDimension[],
  question: Question,
  bind: Bind,
): string {
  return `
    SELECT ${PERSON} AS touch_person, visit_id AS touch_visit, 1 AS touch_known,
      toUnixTimestamp64Milli(least(visit_started_at, first_event_at)) AS touch_at${visitColumns(dimensions, question, bind)}
    FROM visits FINAL ${joinPersons(question, bind)}
    WHERE site_id = ${bind(question.site.id, 'String')} AND ${byPeople(question)}
      AND ${isVisitorOf(persons, question, bind)}
    ORDER BY touch_at, touch_visit
    LIMIT 1 BY touch_person, touch_at`;
}
