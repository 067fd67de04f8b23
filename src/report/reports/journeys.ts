import type { Fault } from '#contract/fault.ts';
import { JOURNEYS_MAX, type Journeys, type JourneysAnswer } from '#contract/reports/journeys.ts';
import type { Beginning, Step } from '#contract/step.ts';
import type { Bind } from '../dimension.ts';
import { EVERYTHING } from '../query/filter.ts';
import type { Scope } from '../query/plan/plan.ts';
import type { BaseQuery } from '../query/query.ts';
import type { KindParts, QueryKind } from '../query/query-kind.ts';
import { percentOf, toMoney } from '../query/shape/to-answer-row.ts';
import { NO_VISIT } from '../query/sql/rows.ts';
import { wildcardSql } from '../query/sql/wildcard.ts';
import { createReportKind, type Planned, type Report } from './report-kind.ts';
import { actionsSql } from './steps/attempts.ts';
import { beginningSql, needsBegunVisit } from './steps/beginning.ts';
import { withRevenueSql } from './steps/payments.ts';
import { parseStep, refusePayments, stepSql, tableOf, toWindow, withReach } from './steps/step.ts';

const DEFAULTS = { within: 'visit', by: 'person', depth: 3, breadth: 5 } as const;

const NO_ANCHOR =
  'Journeys have a beginning or an end: {"from": {"type": "page", "path": "/pricing"}}, or "to".';
const NOT_NAMED_SO = 'Paths name payments as new, renewal or trial: say which.';

/**
 * A row of the answer, a path to its end: `way` are its actions, empty behind the end of a journey; `ns` and
 * `minors` how many came so far, and what they paid, from none of the actions to all. `ended` is how many of
 * those who came to the last one did nothing further.
 *
 * - Shape: an action is a text that begins with its mark and holds the path, the name of the goal or the
 *   kind of payment.
 */
type Row = Readonly<Record<'way' | 'ns' | 'minors', readonly string[]>> & {
  readonly ended: string;
};

/** What begins the text of an action of each kind: in the same millisecond pages come first. */
const MARKS = { page: '1', goal: '2', payment: '3' } as const;
/** The action of somebody who has done nothing yet: their first one comes after it. */
const NOTHING_YET = "'0'";

/** By which paths people come to something, or go on from it, and what they pay. */
export const journeys: Report<Journeys, Query, Row, JourneysAnswer> = {
  parse,
  toSql,
  paymentsOf: () => EVERYTHING,
  toAnswer: (rows, report, common) => ({
    results: pathsFrom(rows, [], report),
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
  const after = (sent.after ?? []).map((step, index) =>
    parseWalked(step, `/after/${index}`, faults),
  );
  const asked = { ...DEFAULTS, ...sent, after, fold: sent.fold ?? [] };
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

/** A step of a path that was walked: it names one action, as answers do. */
function parseWalked(sent: Step, path: string, faults: Fault[]): Step {
  const step = parseStep(sent, path, faults);
  if (step.kind === 'any') faults.push({ path: `${path}/kind`, message: NOT_NAMED_SO });
  return step;
}

function parseAnchor({ from, to }: Journeys, faults: Fault[]): Beginning {
  if (from !== undefined && to !== undefined) {
    faults.push({ path: '/to', message: 'Journeys are asked for from a step, or to one.' });
  }
  if (from !== undefined)
    return isStep(from) ? parseStep(from, '/from', faults) : parseVisit(from, faults);
  if (to !== undefined) return parseStep(to, '/to', faults);
  faults.push({ path: '/from', message: NO_ANCHOR });
  return { type: 'page' };
}

function parseVisit(from: Beginning, faults: Fault[]): Beginning {
  for (const field of ['path', 'name', 'kind'] as const) {
    if (from[field] === undefined) continue;
    const message = `A visit has no ${field}: it begins with whatever somebody does first.`;
    faults.push({ path: `/from/${field}`, message });
  }
  return from;
}

function isStep(beginning: Beginning): beginning is Step {
  return beginning.type !== 'visit';
}

function countBranches(depth: number, breadth: number): number {
  const ofStep = Array.from({ length: depth }, (_, index) => breadth ** (index + 1));
  return ofStep.reduce((a, b) => a + b);
}

/** Of the paths that lead on from a step there may be one more than was asked for. */
function toSql(report: Planned<Query>, bind: Bind): string {
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

/** SQL of the rows that have walked some steps, and the `path` that each went on by. */
function walkedOnSql(rows: string, after: readonly Step[], bind: Bind): string {
  const count = bind(after.length, 'UInt8');
  const actions = after.map((step) => bind(toAction(step), 'String'));
  const isMeant =
    after.length === 0 ? '1' : `arraySlice(walked, 1, ${count}) = [${actions.join(', ')}]`;
  return `
    SELECT * EXCEPT (walked), arraySlice(walked, ${count} + 1) AS path FROM (${rows}) WHERE ${isMeant}`;
}

/**
 * SQL of all actions of the period, or of those that journeys may begin with: `at` (milliseconds), and the
 * text of the `action`.
 */
function namedActionsSql(
  beginning: Beginning | undefined,
  { asked: { fold }, needsVisit }: Pick<Query, 'asked'> & { readonly needsVisit: boolean },
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
    const every = isOfEvents ? "type IN ('pageview', 'goal')" : undefined;
    if (beginning === undefined) return rows(action, every);
    if (!isStep(beginning)) return isOfEvents ? rows(NOTHING_YET, every) : undefined;
    return tableOf(beginning) === table ? rows(action, `(${stepSql(beginning, bind)})`) : undefined;
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
function pathsFrom(rows: readonly Row[], path: readonly Step[], report: Planned<Query>): Path[] {
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

/** As the engine puts texts in order. */
function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function toAction({ type, path = '', name = '', kind = 'any' }: Step): string {
  return `${MARKS[type]}${{ page: path, goal: name, payment: kind }[type]}`;
}

function toStep(action: string): Step {
  const text = action.slice(1);
  if (action.startsWith(MARKS.page)) return { type: 'page', path: text };
  if (action.startsWith(MARKS.goal)) return { type: 'goal', name: text };
  return { type: 'payment', kind: text as 'new' | 'renewal' | 'trial' };
}
