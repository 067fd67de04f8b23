import type { Bind } from '../../dimension.ts';
import type { Scope } from '../../query/plan/plan.ts';
import { createBindings } from '../../query/sql/bindings.ts';
import { NO_VISIT } from '../../query/sql/rows.ts';
import type { Statement } from '../../query/sql/statement.ts';
import { beginningSql, neededOfBeginning } from '../steps/beginning.ts';
import { paidBySql, revenueSql } from '../steps/paid-by.ts';
import { reachBefore, reachOf, type Step } from '../steps/step.ts';
import { deedsSql, type MeantDeeds } from './deeds.ts';
import type { JourneysPlan } from './parse-journeys.ts';

/**
 * A row of the answer, a way to its end: `deed1, …` are its steps as {@link deedsSql} has them, empty behind the
 * end of a journey; `n0, …` and `minor0, …` how many came so far, and what they paid. `ended` is how many of
 * those who came to the last step that is told did nothing further.
 */
export type JourneyRow = Readonly<Record<string, string>>;

/**
 * The statement that answers journeys by rows of {@link JourneyRow}.
 *
 * - Shape: of the ways that lead on from a step one more may be told than was asked for.
 */
export function toJourneysStatement(journeys: JourneysPlan): Statement {
  const { bind, params } = createBindings();
  const { depth, breadth } = journeys;
  let sql = `
    SELECT path, n, minor, sum(n) OVER () AS n0, sum(minor) OVER () AS minor0
    FROM (${pathsSql(journeys, bind)})`;
  const known = ['n0', 'minor0'];
  const steps: string[] = [];
  for (let step = 1; step <= depth; step += 1) {
    const by = steps.length > 0 ? `BY ${steps.join(', ')}` : '';
    sql = `
      SELECT ${[...steps, ...known.map((column) => `any(${column}) AS ${column}`)].join(', ')},
        path[1] AS deed${step}, sum(n) AS n${step}, sum(minor) AS minor${step},
        sumIf(n, length(path) = 1) AS ended, groupArray((arrayPopFront(path), n, minor)) AS further
      FROM (${sql})
      GROUP BY ${[...steps, `deed${step}`].join(', ')}
      ORDER BY deed${step} = '' DESC, n${step} DESC, deed${step}
      LIMIT ${bind(breadth + 1, 'UInt64')} ${by}`;
    steps.push(`deed${step}`);
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

/** SQL of each way that was taken (`path`), by how many (`n`), and what they paid (`minor`). */
function pathsSql(journeys: JourneysPlan, bind: Bind): string {
  const { anchor, direction, window, by, plan, fold, depth } = journeys;
  const isFrom = direction === 'from';
  const asked = neededOfBeginning(plan);
  const tellsVisit = asked.tellsVisit || window.of === 'visit';
  const meant = (step: Step | undefined, period: Scope['period']): MeantDeeds => ({
    ...{ step, by, fold, tellsText: asked.tellsText, tellsVisit },
    plan: { ...plan, period },
  });
  const after = { ...plan, period: reachOf(plan.period, window) };
  const anchors = deedsSql(meant(anchor, plan.period), bind);
  const reach = isFrom ? after.period : reachBefore(plan.period, window);
  const text = asked.tellsText ? ', any(who_text) AS who_text' : '';
  const begun = `
    SELECT who AS begun_who, min((at, deed${tellsVisit ? ', visit' : ''})) AS begun${text}
    FROM (${anchors}) ${window.of === 'visit' ? `WHERE visit != ${NO_VISIT}` : ''}
    GROUP BY begun_who`;
  const compared = `(at, deed) ${isFrom ? '>' : '<'} (begun.1, begun.2)`;
  const isMeant =
    window.of === 'visit'
      ? `visit = begun.3 AND ${compared}`
      : `${compared} AND abs(at - begun.1) <= ${bind(window.ms, 'Int64')}`;
  const sorted = `arraySort(groupArrayIf((at, deed), ${isMeant}))`;
  const rows = `
    SELECT begun_who, begun, begun.1 AS begun_at${tellsVisit ? ', begun.3 AS visit' : ''}${asked.tellsText ? ', who_text' : ''},
      arraySlice(arrayCompact(arrayPushFront(arrayMap(each -> each.2, ${isFrom ? 'found' : 'arrayReverse(found)'}), begun.2)),
        2, ${bind(depth + 1, 'UInt8')}) AS path
    FROM (
      SELECT begun_who, begun${asked.tellsText ? ', any(beginnings.who_text) AS who_text' : ''}, ${sorted} AS found
      FROM (${deedsSql({ ...meant(undefined, reach), tellsText: false }, bind)}) AS deeds
      INNER JOIN (${begun}) AS beginnings ON who = begun_who
      GROUP BY begun_who, begun
    )`;
  const paid = `
    SELECT * EXCEPT (paid_who, outlays), ${revenueSql('begun_at', window, bind)} AS minor
    FROM (${rows}) AS way LEFT JOIN (${paidBySql(by, window, after, bind)}) AS money ON begun_who = paid_who`;
  const fact = beginningSql(paid, anchors, { by, plan, bind });
  return `SELECT path, count() AS n, sum(minor) AS minor FROM ${fact.from} WHERE ${fact.where} GROUP BY path`;
}
