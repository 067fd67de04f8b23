import { DEEDS } from '#warehouse/events-table.ts';
import { PARTS_OF_RUN } from '#warehouse/returning-visitors-table.ts';
import { type CountedValue, DAY_OF_RUN } from '#warehouse/settled-counts-table.ts';
import type { Bind } from '../dimension.ts';
import type { Question, Returning, Span } from '../question.ts';
import type { Ahead, By } from './counted-by.ts';
import { all, byPeople, DAY_MS, within } from './rows.ts';
import { visitRowsSql } from './visit-rows.ts';

/**
 * SQL of a `value` and an `amount`: whoever came after what was counted ahead, and was not there with that value
 * before, in the period.
 *
 * Why only visitors who are known: of those who came since who came back was looked up, nobody knows where they were.
 * A moment later they are.
 */
export function newSinceSql(by: By, ahead: Ahead, question: Question, bind: Bind): string {
  const { value } = by;
  const { open = { startsAt: 0, endsAt: 0 } } = ahead;
  const returning = findReturning(by, ahead, question);
  const isKnown = returning === undefined ? '1' : isKnownSql(returning, question, bind);
  const earlier = earlierSql(by, { open, ahead, returning }, question, bind).map(
    (rows) => `
        UNION ALL
        SELECT visitor, value, 1 AS was_before FROM (${rows})`,
  );
  return `
    SELECT value, toUInt64(count()) AS amount
    FROM (
      SELECT visitor, value FROM (
        SELECT visitor, value, 0 AS was_before FROM (${SEEN[value.of](value, open, question, bind)}) WHERE ${isKnown}
        ${earlier.join('')}
      )
      GROUP BY visitor, value HAVING max(was_before) = 0
    )
    GROUP BY value`;
}

/** What is copied of who came back, where it is of the same days and has all that is asked for. */
function findReturning(
  { before }: By,
  { open, runs }: Ahead,
  { returning }: Question,
): Returning | undefined {
  if (returning === undefined || before.startsAt >= before.endsAt) return undefined;
  const known = new Set(returning.countedRuns);
  const isWhole =
    returning.endsAt === open?.startsAt &&
    returning.startsAt <= before.startsAt &&
    runs.every((run) => known.has(run));
  return isWhole ? returning : undefined;
}

type Earlier = {
  readonly open: Span;
  readonly ahead: Ahead;
  readonly returning: Returning | undefined;
};

/** SQL of rows with a `visitor` and a `value`, of whoever came in the open span, and maybe others: who was there with what before it. */
function earlierSql(
  by: By,
  { open, ahead, returning }: Earlier,
  question: Question,
  bind: Bind,
): string[] {
  const { value, before } = by;
  if (before.startsAt >= before.endsAt) return [];
  const came =
    returning === undefined
      ? `visitor IN (${cameIn(value, open, question, bind)})`
      : cameSinceSql(returning, bind);
  return [
    ...(value.of === 'events' ? firstHoursSql(by, question, bind) : []),
    ...(came === undefined ? [] : [LOOKED_THROUGH[value.of](by, { ahead, came }, question, bind)]),
    ...(returning === undefined ? [] : [copiedSql(by, { ahead, returning }, question, bind)]),
  ];
}

/**
 * SQL of who was there before the first whole day of the period.
 *
 * Why of events alone: `settled_seen` has whole days (UTC).
 */
function firstHoursSql({ value, before }: By, question: Question, bind: Bind): string[] {
  const wholeFrom = wholeDaysFrom(before);
  if (before.startsAt >= wholeFrom) return [];
  return [SEEN.events(value, { startsAt: before.startsAt, endsAt: wholeFrom }, question, bind)];
}

function wholeDaysFrom({ startsAt, endsAt }: Span): number {
  return Math.min(endsAt, Math.ceil(startsAt / DAY_MS) * DAY_MS);
}

function wholeDaysOf({ runs }: Ahead, before: Span): number[] {
  const wholeFrom = wholeDaysFrom(before);
  return runs.filter((run) => (run % DAY_OF_RUN) * DAY_MS >= wholeFrom);
}

type LookThrough = (
  by: By,
  among: { readonly ahead: Ahead; readonly came: string },
  question: Question,
  bind: Bind,
) => string;

/** SQL of where those of whom `came` holds were, among everybody. */
const LOOKED_THROUGH: Readonly<Record<CountedValue['of'], LookThrough>> = {
  visits: ({ value, before }, { came }, question, bind) =>
    `SELECT visitor, value FROM (${SEEN.visits(value, before, question, bind)}) WHERE ${came}`,
  events: ({ value, before }, { ahead, came }, question, bind) => `
      SELECT visitor, arrayJoin(seen) AS value FROM settled_seen
      WHERE ${all(
        `site_id = ${bind(question.site.id, 'String')}`,
        `counted = ${bind(value.name, 'String')}`,
        `run IN ${bind(wholeDaysOf(ahead, before), 'Array(UInt64)')}`,
        came,
      )}`,
};

/** SQL of where those were whom a run looked for. */
function copiedSql(
  { value, before }: By,
  { ahead, returning }: { readonly ahead: Ahead; readonly returning: Returning },
  question: Question,
  bind: Bind,
): string {
  if (value.of === 'visits') {
    const asked = { ...question, period: { ...question.period, ...before } };
    return `SELECT visitor, ${value.sql} AS value FROM returning_visitors
      WHERE ${all(within('visit_started_at', asked, bind), ofRun(returning, PARTS_OF_RUN.visit, bind))}`;
  }
  return `SELECT visitor, arrayJoin(seen) AS value FROM returning_visitors
    WHERE ${all(
      `site_id = ${bind(question.site.id, 'String')}`,
      ofRun(returning, PARTS_OF_RUN.seen, bind),
      `counted = ${bind(value.name, 'String')}`,
      `counted_run IN ${bind(wholeDaysOf(ahead, before), 'Array(UInt64)')}`,
    )}`;
}

function ofRun({ run }: Returning, part: string, bind: Bind): string {
  return `run = ${bind(run, 'UInt64')} AND part = ${bind(part, 'String')}`;
}

/** SQL that holds for whom a run looked for, and for whoever came since it did and is known. */
function isKnownSql(returning: Returning, question: Question, bind: Bind): string {
  const lookedFor = `visitor IN (SELECT visitor FROM returning_visitors
    WHERE site_id = ${bind(question.site.id, 'String')} AND ${ofRun(returning, PARTS_OF_RUN.lookedFor, bind)})`;
  const came = cameSinceSql(returning, bind);
  return came === undefined ? lookedFor : `(${lookedFor} OR ${came})`;
}

function cameSinceSql({ notLookedFor }: Returning, bind: Bind): string | undefined {
  if (notLookedFor.length === 0) return undefined;
  return `visitor IN (SELECT toUInt64(arrayJoin(${bind(notLookedFor, 'Array(String)')})))`;
}

/** SQL of whoever came in the span, and more: whom it names is looked for, and need not be found. */
function cameIn({ of }: CountedValue, span: Span, question: Question, bind: Bind): string {
  const asked = { ...question, period: { ...question.period, ...span } };
  return of === 'visits'
    ? `SELECT visitor FROM visits WHERE ${within('visit_started_at', asked, bind)}`
    : `SELECT visitor FROM events WHERE ${within('occurred_at', asked, bind)}`;
}

/** SQL of rows with a `visitor` and a `value`: who was there with what. */
const SEEN: Readonly<
  Record<
    CountedValue['of'],
    (value: CountedValue, period: Span, question: Question, bind: Bind) => string
  >
> = {
  visits: ({ sql }, period, question, bind) =>
    visitRowsSql(question, bind, {
      columns: `visitor, ${sql} AS value`,
      where: byPeople(question),
      period,
    }),
  events: ({ sql, only }, span, question, bind) => {
    const asked = { ...question, period: { ...question.period, ...span } };
    return `
      SELECT visitor, ${sql} AS value FROM events
      WHERE ${all(within('occurred_at', asked, bind), byPeople(question), DEEDS, only)}`;
  },
};
