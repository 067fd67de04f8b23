import type { Journeys, JourneysAnswer } from '#contract/reports/journeys.ts';
import type { Step } from '#contract/step.ts';
import type { Bind } from '../../dimension.ts';
import type { KindParts, QueryKind } from '../../query/answer/query-kind.ts';
import { createReportKind, type Planned, type Report } from '../../query/answer/report-kind.ts';
import { EVERYTHING } from '../../query/filter.ts';
import { percentOf, toMoney } from '../../query/shape/to-answer-row.ts';
import { type JourneysQuery, NO_ANCHOR, parseJourneys } from './parse-journeys.ts';
import { pathsSql, toStep } from './paths.ts';

/**
 * A row of the answer, one path: `way` has its actions, empty after the end of a journey; `ns` and `minors` how many
 * people got that far, and what they paid, from no actions to all. `ended` counts those who reached the last action
 * and did nothing after it.
 *
 * - Shape: an action is a string: its mark, then the path, the name of the goal or the kind of payment.
 */
type Row = Readonly<Record<'way' | 'ns' | 'minors', readonly string[]>> & {
  readonly ended: string;
};

/** The journeys report: the paths that lead to or from a step, and how much people on them pay. */
export const journeys: Report<Journeys, JourneysQuery, Row, JourneysAnswer> = {
  parse: parseJourneys,
  toSql,
  paymentsOf: () => EVERYTHING,
  toAnswer: (rows, report, common) => ({ results: pathsFrom(rows, [], report), ...common }),
};

/** Answers {@link journeys}. A malformed anchor is not also reported as missing. */
export function createJourneys(parts: KindParts): QueryKind<Journeys, JourneysAnswer> {
  const kind = createReportKind(parts, journeys);
  return {
    ...kind,
    findMoreFaults(site, sent, faults) {
      const isAnchorMalformed = faults.some(({ path }) => /^\/(from|to)\b/.test(path));
      const found = kind.findMoreFaults(site, sent, faults);
      return found.filter(({ message }) => !isAnchorMalformed || message !== NO_ANCHOR);
    },
  };
}

/** Each step may have one more branch than was asked for. */
function toSql(report: Planned<JourneysQuery>, bind: Bind): string {
  const { depth, breadth } = report.asked;
  let sql = `
    SELECT emptyArrayString() AS way0, [sum(n) OVER ()] AS ns0, [sum(minor) OVER ()] AS minors0, path, n, minor
    FROM (${pathsSql(report, bind)})`;
  for (let step = 1; step <= depth; step += 1) {
    const before = step - 1;
    sql = `
      SELECT arrayPushBack(way${before}, path[1]) AS way${step},
        arrayPushBack(any(ns${before}), sum(n)) AS ns${step},
        arrayPushBack(any(minors${before}), sum(minor)) AS minors${step},
        sumIf(n, length(path) = 1) AS ended, groupArray((arrayPopFront(path), n, minor)) AS further
      FROM (${sql})
      GROUP BY way${before}, path[1]
      ORDER BY path[1] = '' DESC, sum(n) DESC, path[1]
      LIMIT ${bind(breadth + 1, 'UInt64')} BY way${before}`;
    if (step === depth) break;
    sql = `
      SELECT way${step}, ns${step}, minors${step}, next.1 AS path, next.2 AS n, next.3 AS minor
      FROM (${sql}) ARRAY JOIN further AS next`;
  }
  const texts = (array: string) => `arrayMap(each -> toString(each), ${array}${depth}) AS ${array}`;
  return `SELECT way${depth} AS way, ${texts('ns')}, ${texts('minors')}, toString(ended) AS ended FROM (${sql})`;
}

type Path = JourneysAnswer['results'][number];

/** The path that all rows share, then its continuations, the most common first. */
function pathsFrom(
  rows: readonly Row[],
  path: readonly Step[],
  report: Planned<JourneysQuery>,
): Path[] {
  const { asked, query } = report;
  const step = path.length;
  const isLast = step === asked.depth;
  const count = ([row]: readonly Row[] = [], place = step + 1) => Number(row?.ns[place] ?? 0);
  const reached = count(rows, step);
  const rowsByAction = Map.groupBy(isLast ? [] : rows, ({ way }) => way[step] ?? '');
  const ended = isLast ? Number(rows[0]?.ended ?? 0) : count(rowsByAction.get(''));
  const listed = [...rowsByAction]
    .filter(([action]) => action !== '')
    .toSorted(([a, ofA], [b, ofB]) => count(ofB) - count(ofA) || compareBytes(a, b))
    .slice(0, asked.breadth);
  const own: Path = {
    path: [...path],
    reached,
    share: percentOf(BigInt(reached), BigInt(count(rows, 0))),
    ended,
    other: reached - ended - listed.reduce((sum, [, further]) => sum + count(further), 0),
    revenue: toMoney(BigInt(rows[0]?.minors[step] ?? 0), query.site.currency),
  };
  const on = listed.flatMap(([action, further]) =>
    pathsFrom(further, [...path, toStep(action)], report),
  );
  return [own, ...on];
}

/** Sorts strings as the engine does. */
function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
