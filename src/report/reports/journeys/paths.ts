import { NO_VISIT } from '#contract/rows/visit-row.ts';
import type { Beginning, Step } from '#contract/step.ts';
import type { Bind } from '../../dimension.ts';
import type { Planned } from '../../query/answer/report-kind.ts';
import type { Scope } from '../../query/plan/plan.ts';
import { isTrial } from '../../query/sql/rows.ts';
import { wildcardSql } from '../../query/wildcard.ts';
import { actionsSql } from '../steps/attempts.ts';
import { beginningSql, needsBegunVisit } from '../steps/beginning.ts';
import { withRevenueSql } from '../steps/payments.ts';
import { stepSql, tableOf, withReach } from '../steps/step.ts';
import { isStep, type JourneysQuery } from './parse-journeys.ts';

/** The prefix of each kind of action. In the same millisecond, pages sort first. */
const MARKS = { page: '1', goal: '2', payment: '3' } as const;
/** The action of someone who has done nothing yet. It sorts before their first one. */
const NOTHING_YET = "'0'";

/** SQL for each path taken (`path`), by how many people (`n`), and what they paid (`minor`). */
export function pathsSql(report: Planned<JourneysQuery>, bind: Bind): string {
  const { anchor, direction, window, asked, plan } = report;
  const isFrom = direction === 'from';
  const isInVisit = window === 'visit';
  const needsVisit = isInVisit || needsBegunVisit(plan);
  const anchors = namedActionsSql(anchor, { asked, needsVisit }, plan, bind);
  const reach = withReach(plan, window, direction);
  const every = namedActionsSql(undefined, { asked, needsVisit }, reach, bind);
  const begun = `
    SELECT person_number AS begun_person, min((at, action${needsVisit ? ', visit' : ''})) AS begun
    FROM (${anchors}) ${isInVisit ? `WHERE visit != ${NO_VISIT}` : ''}
    GROUP BY begun_person`;
  const compared = `(at, action) ${isFrom ? '>' : '<'} (begun.1, begun.2)`;
  const isMeant = isInVisit
    ? `visit = begun.3 AND ${compared}`
    : `${compared} AND abs(at - begun.1) <= ${bind(window, 'Int64')}`;
  const found = `arraySort(groupArrayIf((at, action), ${isMeant}))`;
  const rows = `
    SELECT person_number, begun.1 AS begun_at${needsVisit ? ', begun.3 AS visit' : ''},
      arraySlice(arrayCompact(arrayPushFront(arrayMap(each -> each.2, found), begun.2)),
        2, ${bind(asked.after.length + asked.depth + 1, 'UInt8')}) AS walked
    FROM (
      SELECT person_number, begun, ${isFrom ? found : `arrayReverse(${found})`} AS found
      FROM (${every}) AS actions INNER JOIN (${begun}) AS beginnings ON person_number = begun_person
      GROUP BY person_number, begun
    )`;
  const paid = withRevenueSql(
    walkedOnSql(rows, asked.after, bind),
    { since: 'begun_at', payer: 'person_number' },
    { plan, window, bind },
  );
  const { from, where } = beginningSql(paid, anchors, { plan, bind });
  return `SELECT path, count() AS n, sum(minor) AS minor FROM ${from} WHERE ${where} GROUP BY path`;
}

/** SQL for the rows that took the steps `after`, with the `path` each took next. */
function walkedOnSql(rows: string, after: readonly Step[], bind: Bind): string {
  const count = bind(after.length, 'UInt8');
  const actions = after.map((step) => bind(toAction(step), 'String'));
  const isMeant =
    after.length === 0 ? '1' : `arraySlice(walked, 1, ${count}) = [${actions.join(', ')}]`;
  return `
    SELECT * EXCEPT (walked), arraySlice(walked, ${count} + 1) AS path FROM (${rows}) WHERE ${isMeant}`;
}

/**
 * SQL for all actions in the period, or those that can begin a journey: `at` (milliseconds), and the `action` as a
 * string.
 */
function namedActionsSql(
  beginning: Beginning | undefined,
  { asked: { fold }, needsVisit }: Pick<JourneysQuery, 'asked'> & { readonly needsVisit: boolean },
  scope: Scope,
  bind: Bind,
): string {
  const rows = (action: string, where: string | undefined) => ({
    columns: (at: string) => ({ at: `toInt64(${at})`, action }),
    where,
  });
  const rowsOf = (table: 'events' | 'payments') => {
    const isOfEvents = table === 'events';
    const action = isOfEvents ? eventAction(fold, bind) : PAYMENT_ACTION;
    const every = isOfEvents
      ? "type IN ('pageview', 'goal')"
      : `(amount_minor > 0 OR ${isTrial(scope, bind)})`;
    if (beginning === undefined) return rows(action, every);
    if (!isStep(beginning)) return isOfEvents ? rows(NOTHING_YET, every) : undefined;
    return tableOf(beginning) === table
      ? rows(action, `(${stepSql(beginning, scope, bind)})`)
      : undefined;
  };
  return actionsSql({ rowsOf, needsVisit }, scope, bind);
}

const PAYMENT_ACTION = `concat('${MARKS.payment}',
  multiIf(amount_minor = 0, 'trial', renewal = 1, 'renewal', 'new'))`;

function eventAction(fold: readonly string[], bind: Bind): string {
  const folds = fold.map(
    (pattern) => `${wildcardSql('path', pattern, bind)}, ${bind(pattern, 'String')}`,
  );
  const page = folds.length === 0 ? 'path' : `multiIf(${folds.join(', ')}, path)`;
  return `if(type = 'goal', concat('${MARKS.goal}', name), concat('${MARKS.page}', ${page}))`;
}

function toAction({ type, path = '', name = '', kind = 'any' }: Step): string {
  return `${MARKS[type]}${{ page: path, goal: name, payment: kind }[type]}`;
}

/** An action as a step. */
export function toStep(action: string): Step {
  const text = action.slice(1);
  if (action.startsWith(MARKS.page)) return { type: 'page', path: text };
  if (action.startsWith(MARKS.goal)) return { type: 'goal', name: text };
  return { type: 'payment', kind: text as 'new' | 'renewal' | 'trial' };
}
