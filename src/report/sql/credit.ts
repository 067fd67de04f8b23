import { type Bind, UNATTRIBUTED, type VisitDimension } from '../dimension.ts';
import type { AttributionModel, Question } from '../question.ts';
import { DAY_MS, NO_VISIT, visitColumns } from './rows.ts';

/**
 * SQL of facts, each with the visit that gets the credit for it: columns `credited_visit` and
 * `v0, v1, …` beside the fact's own.
 *
 * - Shape: `facts` are rows with a `visitor_id` and `credit_at`, the instant that a touch must
 *   not be later than (milliseconds). A fact without a touch keeps its row, as `Unattributed`, so that
 *   rows sum to the whole.
 * - Why a touch counts from the visit's first event, if that is earlier than its start: the start
 *   comes from the visitor's clock, which may run minutes ahead of ours.
 */
export function creditedSql(
  facts: string,
  dimensions: readonly VisitDimension[],
  question: Question,
  bind: Bind,
): string {
  const { model, lookbackDays } = question.attribution;
  const windowAt =
    lookbackDays === null ? 'toInt64(0)' : `credit_at - ${bind(lookbackDays * DAY_MS, 'Int64')}`;
  const { nearest, isInWindow } = MODELS[model];
  const values = dimensions.map(
    (_, index) => `, if(is_credited, touch.v${index}, '${UNATTRIBUTED}') AS v${index}`,
  );
  return `
    SELECT fact.*, touch_known = 1 AND ${isInWindow} AS is_credited,
      if(is_credited, touch_visit, ${NO_VISIT}) AS credited_visit${values.join('')}
    FROM (SELECT *, ${windowAt} AS window_at FROM (${facts})) AS fact
    ASOF LEFT JOIN (${touchesSql(facts, dimensions, question, bind)}) AS touch
      ON fact.visitor_id = touch.touch_visitor AND ${nearest}`;
}

/** Which touch a join finds for a fact, and whether it counts: earlier than the fact, not too far back. */
const MODELS: Readonly<
  Record<AttributionModel, { readonly nearest: string; readonly isInWindow: string }>
> = {
  first_touch: {
    nearest: 'fact.window_at <= touch.touch_at',
    isInWindow: 'touch_at <= credit_at',
  },
  last_touch: {
    nearest: 'fact.credit_at >= touch.touch_at',
    isInWindow: 'touch_at >= window_at',
  },
};

/** The visits of the facts' visitors. Of visits that began in the same millisecond, one. */
function touchesSql(
  facts: string,
  dimensions: readonly VisitDimension[],
  question: Question,
  bind: Bind,
): string {
  return `
    SELECT visitor_id AS touch_visitor, visit_id AS touch_visit, 1 AS touch_known,
      toUnixTimestamp64Milli(least(visit_started_at, first_event_at)) AS touch_at${visitColumns(dimensions)}
    FROM visits FINAL
    WHERE site_id = ${bind(question.site.id, 'String')} AND bot_class = '' AND visitor_id != ''
      AND visitor_id IN (SELECT visitor_id FROM (${facts}))
    ORDER BY touch_at, touch_visit
    LIMIT 1 BY touch_visitor, touch_at`;
}
