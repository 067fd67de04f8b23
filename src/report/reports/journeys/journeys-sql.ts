import type { Journeys } from '#contract/reports/journeys.ts';
import type { Step } from '#contract/step.ts';
import type { Bind } from '../../dimension.ts';
import type { Scope } from '../../query/plan/plan.ts';
import type { BaseQuery } from '../../query/query.ts';
import { createBindings } from '../../query/sql/bindings.ts';
import { NO_VISIT } from '../../query/sql/rows.ts';
import type { Statement } from '../../query/sql/statement.ts';
import { wildcardSql } from '../../query/sql/wildcard.ts';
import type { Planned } from '../report-kind.ts';
import { actionsSql } from '../steps/actions.ts';
import { beginningSql, needsBegunVisit } from '../steps/beginning.ts';
import { paidBySql, revenueSql } from '../steps/paid-by.ts';
import { stepSql, type Window, withReach, withReachBefore } from '../steps/step.ts';

/** Journeys, parsed. */
export type JourneysQuery = {
  readonly asked: Journeys &
    Required<Pick<Journeys, 'within' | 'by' | 'depth' | 'breadth' | 'fold'>>;
  /** Where they begin or end, and which of both. */
  readonly anchor: Step;
  readonly direction: 'from' | 'to';
  readonly window: Window;
  readonly query: BaseQuery;
};

/**
 * A row of the answer, a path to its end: `action1, …` are its steps, empty behind the end of a journey;
 * `n0, …` and `minor0, …` how many came so far, and what they paid. `ended` is how many of those who came to
 * the last step did nothing further.
 *
 * - Shape: an action is a text that begins with its mark and holds the path, the name of the goal or the
 *   kind of payment.
 */
export type JourneyRow = Readonly<Record<string, string>>;

/** What begins the text of an action of each kind: in the same millisecond pages come first. */
export const ACTION_MARKS = { page: '1', goal: '2', payment: '3' } as const;

/**
 * The statement that answers journeys by rows of {@link JourneyRow}.
 *
 * - Shape: of the paths that lead on from a step there may be one more than was asked for.
 */
export function toJourneysStatement(journeys: Planned<JourneysQuery>): Statement {
  const { bind, params } = createBindings();
  const { depth, breadth } = journeys.asked;
  let sql = `
    SELECT path, n, minor, sum(n) OVER () AS n0, sum(minor) OVER () AS minor0
    FROM (${pathsSql(journeys, bind)})`;
  const known = ['n0', 'minor0'];
  const steps: string[] = [];
  for (let step = 1; step <= depth; step += 1) {
    const by = steps.length > 0 ? `BY ${steps.join(', ')}` : '';
    sql = `
      SELECT ${[...steps, ...known.map((column) => `any(${column}) AS ${column}`)].join(', ')},
        path[1] AS action${step}, sum(n) AS n${step}, sum(minor) AS minor${step},
        sumIf(n, length(path) = 1) AS ended, groupArray((arrayPopFront(path), n, minor)) AS further
      FROM (${sql})
      GROUP BY ${[...steps, `action${step}`].join(', ')}
      ORDER BY action${step} = '' DESC, n${step} DESC, action${step}
      LIMIT ${bind(breadth + 1, 'UInt64')} ${by}`;
    steps.push(`action${step}`);
    known.push(`n${step}`, `minor${step}`);
    if (step === depth) break;
    sql = `
      SELECT ${[...steps, ...known].join(', ')}, way.1 AS path, way.2 AS n, way.3 AS minor
      FROM (${sql}) ARRAY JOIN further AS way`;
  }
  const texts = known.map((column) => `toString(${column}) AS ${column}`);
  return {
    sql: `SELECT ${[...steps, ...texts, 'toString(ended) AS ended'].join(', ')} FROM (${sql})`,
    params,
  };
}

/** SQL of each path that was taken (`path`), by how many (`n`), and what they paid (`minor`). */
function pathsSql(journeys: Planned<JourneysQuery>, bind: Bind): string {
  const { anchor, direction, window, asked, plan } = journeys;
  const isFrom = direction === 'from';
  const needsVisit = needsBegunVisit(plan) || window === 'visit';
  const { fold } = asked;
  const anchors = namedActionsSql({ step: anchor, fold, needsVisit }, plan, bind);
  const reach = isFrom ? withReach(plan, window) : withReachBefore(plan, window);
  const all = namedActionsSql({ step: undefined, fold, needsVisit }, reach, bind);
  const begun = `
    SELECT person_number AS begun_person, min((at, action${needsVisit ? ', visit' : ''})) AS begun
    FROM (${anchors}) ${window === 'visit' ? `WHERE visit != ${NO_VISIT}` : ''}
    GROUP BY begun_person`;
  const compared = `(at, action) ${isFrom ? '>' : '<'} (begun.1, begun.2)`;
  const isMeant =
    window === 'visit'
      ? `visit = begun.3 AND ${compared}`
      : `${compared} AND abs(at - begun.1) <= ${bind(window, 'Int64')}`;
  const found = `arraySort(groupArrayIf((at, action), ${isMeant}))`;
  const outward = isFrom ? found : `arrayReverse(${found})`;
  const rows = `
    SELECT person_number, begun.1 AS begun_at${needsVisit ? ', begun.3 AS visit' : ''},
      arraySlice(arrayCompact(arrayPushFront(arrayMap(each -> each.2, found), begun.2)),
        2, ${bind(asked.depth + 1, 'UInt8')}) AS path
    FROM (
      SELECT person_number, begun, ${outward} AS found
      FROM (${all}) AS actions INNER JOIN (${begun}) AS beginnings ON person_number = begun_person
      GROUP BY person_number, begun
    )`;
  const paid = `
    SELECT * EXCEPT (payer, outlays), ${revenueSql('begun_at', window, bind)} AS minor
    FROM (${rows}) AS way
    LEFT JOIN (${paidBySql(window, withReach(plan, window), bind)}) AS money ON person_number = payer`;
  const fact = beginningSql(paid, anchors, { plan, bind });
  return `SELECT path, count() AS n, sum(minor) AS minor FROM ${fact.from} WHERE ${fact.where} GROUP BY path`;
}

/** SQL of what people did, as {@link actionsSql} has it: `at` (milliseconds), and the text of the `action`. */
function namedActionsSql(
  {
    step,
    fold,
    needsVisit,
  }: {
    /** Only what is this step; all pages, goals and payments when left out. */
    readonly step: Step | undefined;
    /** Patterns of paths that are one page. */
    readonly fold: readonly string[];
    readonly needsVisit: boolean;
  },
  scope: Scope,
  bind: Bind,
): string {
  const only = step && `(${stepSql(step, bind)})`;
  const rows = (action: string, where: string | undefined) => ({
    columns: (at: string) => ({ at: `toInt64(${at})`, action }),
    where,
  });
  const isOfPayments = step?.type === 'payment';
  const payments = step === undefined || isOfPayments ? rows(PAYMENT_ACTION, only) : undefined;
  const events = isOfPayments
    ? undefined
    : rows(eventAction(fold, bind), only ?? "type IN ('pageview', 'goal')");
  return actionsSql({ events, payments, needsVisit }, scope, bind);
}

const PAYMENT_ACTION = `concat('${ACTION_MARKS.payment}',
  multiIf(amount_minor = 0, 'trial', renewal = 1, 'renewal', 'new'))`;

function eventAction(fold: readonly string[], bind: Bind): string {
  const folds = fold.map(
    (pattern) => `${wildcardSql('path', pattern, bind)}, ${bind(pattern, 'String')}`,
  );
  const page = folds.length === 0 ? 'path' : `multiIf(${folds.join(', ')}, path)`;
  return `if(type = 'goal', concat('${ACTION_MARKS.goal}', name), concat('${ACTION_MARKS.page}', ${page}))`;
}
