import type { Fault } from '#contract/fault.ts';
import { JOURNEYS_MAX, type Journeys, type JourneysAnswer } from '#contract/reports/journeys.ts';
import type { Step } from '#contract/step.ts';
import type { Bind } from '../dimension.ts';
import { EVERYTHING } from '../query/filter.ts';
import type { Scope } from '../query/plan/plan.ts';
import type { BaseQuery } from '../query/query.ts';
import type { KindParts, QueryKind } from '../query/query-kind.ts';
import { toMoney } from '../query/shape/to-answer-row.ts';
import { NO_VISIT } from '../query/sql/rows.ts';
import { wildcardSql } from '../query/sql/wildcard.ts';
import { percentOf } from './cohorts/percent.ts';
import { createReportKind, type Planned, type Report } from './report-kind.ts';
import { actionsSql } from './steps/actions.ts';
import { beginningSql, needsBegunVisit } from './steps/beginning.ts';
import { withRevenueSql } from './steps/revenue.ts';
import { parseStep, refusePayments, stepSql, tableOf, toWindow, withReach } from './steps/step.ts';

const DEFAULTS = { within: 'visit', by: 'person', depth: 3, breadth: 5 } as const;

const NO_ANCHOR =
  'Journeys have a beginning or an end: {"from": {"type": "page", "path": "/pricing"}}, or "to".';

/**
 * A row of the answer, a path to its end: `action1, …` are its steps, empty behind the end of a journey;
 * `n0, …` and `minor0, …` how many came so far, and what they paid. `ended` is how many of those who came to
 * the last step did nothing further.
 *
 * - Shape: an action is a text that begins with its mark and holds the path, the name of the goal or the
 *   kind of payment.
 */
type Row = Readonly<Record<string, string>>;

/** What begins the text of an action of each kind: in the same millisecond pages come first. */
const MARKS = { page: '1', goal: '2', payment: '3' } as const;

/** By which paths people come to something, or go on from it, and what they pay. */
export const journeys: Report<Journeys, Query, Row, JourneysAnswer> = {
  parse,
  toSql,
  paymentsOf: () => EVERYTHING,
  toAnswer: (rows, report, common) => ({
    results: pathsFrom(rows, [], Number(rows[0]?.n0 ?? 0), report),
    ...common,
  }),
};

/** Answers {@link journeys}. A malformed anchor is not reported as missing, too. */
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

function parse(sent: Journeys, base: BaseQuery, faults: Fault[]) {
  refusePayments(base.filter, faults);
  const direction = sent.to === undefined ? 'from' : 'to';
  const anchor = parseAnchor(sent, faults);
  const asked = { ...DEFAULTS, ...sent, fold: sent.fold ?? [] };
  for (const [index, path] of asked.fold.entries()) {
    const own: Fault[] = [];
    parseStep({ type: 'page', path }, '', own);
    faults.push(...own.map(({ message }) => ({ path: `/fold/${index}`, message })));
  }
  const { depth, breadth, within } = asked;
  if (countBranches(depth, breadth) > JOURNEYS_MAX.branches) {
    const message = `${breadth} ways at each of ${depth} steps are more than ${JOURNEYS_MAX.branches} branches: take less of either.`;
    faults.push({ path: '/breadth', message });
  }
  const understood = { ...asked, [direction]: anchor };
  return { asked: understood, anchor, direction, window: toWindow(within), query: base } as const;
}

type Query = ReturnType<typeof parse>;

function parseAnchor({ from, to }: Journeys, faults: Fault[]): Step {
  if (from !== undefined && to !== undefined) {
    faults.push({ path: '/to', message: 'Journeys are asked for from a step, or to one.' });
  }
  if (from !== undefined) return parseStep(from, '/from', faults);
  if (to !== undefined) return parseStep(to, '/to', faults);
  faults.push({ path: '/from', message: NO_ANCHOR });
  return { type: 'page' };
}

function countBranches(depth: number, breadth: number): number {
  const ofStep = Array.from({ length: depth }, (_, index) => breadth ** (index + 1));
  return ofStep.reduce((a, b) => a + b);
}

/** Of the paths that lead on from a step there may be one more than was asked for. */
function toSql(report: Planned<Query>, bind: Bind): string {
  const { depth, breadth } = report.asked;
  let sql = `
    SELECT path, n, minor, sum(n) OVER () AS n0, sum(minor) OVER () AS minor0
    FROM (${pathsSql(report, bind)})`;
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
  const texts = [...known, 'ended'].map((column) => `toString(${column}) AS ${column}`);
  return `SELECT ${[...steps, ...texts].join(', ')} FROM (${sql})`;
}

/** SQL of each path that was taken (`path`), by how many (`n`), and what they paid (`minor`). */
function pathsSql(report: Planned<Query>, bind: Bind): string {
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
        2, ${bind(asked.depth + 1, 'UInt8')}) AS path
    FROM (
      SELECT person_number, begun, ${isFrom ? found : `arrayReverse(${found})`} AS found
      FROM (${every}) AS actions INNER JOIN (${begun}) AS beginnings ON person_number = begun_person
      GROUP BY person_number, begun
    )`;
  const paid = withRevenueSql(rows, { since: 'begun_at' }, { plan, window, bind });
  const { from, where } = beginningSql(paid, anchors, { plan, bind });
  return `SELECT path, count() AS n, sum(minor) AS minor FROM ${from} WHERE ${where} GROUP BY path`;
}

/** SQL of all actions of the period, or those of one step: `at` (milliseconds), and the text of the `action`. */
function namedActionsSql(
  step: Step | undefined,
  { asked: { fold }, needsVisit }: Pick<Query, 'asked'> & { readonly needsVisit: boolean },
  scope: Scope,
  bind: Bind,
): string {
  const rowsOf = (table: 'events' | 'payments') => {
    if (step !== undefined && tableOf(step) !== table) return undefined;
    const isOfEvents = table === 'events';
    const action = isOfEvents ? eventAction(fold, bind) : PAYMENT_ACTION;
    const every = isOfEvents ? "type IN ('pageview', 'goal')" : undefined;
    return {
      columns: (at: string) => ({ at: `toInt64(${at})`, action }),
      where: step === undefined ? every : `(${stepSql(step, bind)})`,
    };
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

type Path = JourneysAnswer['results'][number];

/** The path that all rows begin with, and then those that go on from it, the most common first. */
function pathsFrom(
  rows: readonly Row[],
  path: readonly Step[],
  all: number,
  report: Planned<Query>,
): Path[] {
  const { depth, breadth } = report.asked;
  const step = path.length;
  const isLast = step === depth;
  const read = (row: Row | undefined, column: string) => row?.[column] ?? '0';
  const reached = Number(read(rows[0], `n${step}`));
  const rowsByAction = Map.groupBy(rows, (row) => row[`action${step + 1}`] ?? '');
  const further = [...rowsByAction].filter(([action]) => action !== '' && !isLast);
  const listed = further
    .map(([action, own]) => ({ action, rows: own, n: Number(read(own[0], `n${step + 1}`)) }))
    .toSorted((a, b) => b.n - a.n || Buffer.compare(Buffer.from(a.action), Buffer.from(b.action)))
    .slice(0, breadth);
  const ended = Number(
    isLast ? read(rows[0], 'ended') : read(rowsByAction.get('')?.[0], `n${step + 1}`),
  );
  const own: Path = {
    path: [...path],
    reached,
    share: percentOf(BigInt(reached), BigInt(all)),
    ended,
    other: reached - ended - listed.reduce((sum, { n }) => sum + n, 0),
    revenue: toMoney(BigInt(read(rows[0], `minor${step}`)), report.query.site.currency),
  };
  const on = listed.flatMap((branch) =>
    pathsFrom(branch.rows, [...path, toStep(branch.action)], all, report),
  );
  return [own, ...on];
}

function toStep(action: string): Step {
  const text = action.slice(1);
  if (action.startsWith(MARKS.page)) return { type: 'page', path: text };
  if (action.startsWith(MARKS.goal)) return { type: 'goal', name: text };
  return { type: 'payment', kind: text as 'new' | 'renewal' | 'trial' };
}
