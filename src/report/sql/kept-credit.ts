import { LATE_TOUCH_MAX_MS } from '#domain/attribution/find-path.ts';
import { DEEDS } from '#warehouse/events-table.ts';
import type { Bind, EventDimension, VisitDimension } from '../dimension.ts';
import type { FirstVisits, Question } from '../question.ts';
import { type Facts, OF_NOBODY, WHOLE_CREDIT } from './credited-facts.ts';
import {
  IS_SOMEBODY,
  joinNumbers,
  payerNumber,
  personNumber,
  toPersonNumber,
} from './person-numbers.ts';
import { joinPayers } from './persons.ts';
import { all, byPeople, NO_VISIT, visitColumns } from './rows.ts';
import { TOUCH_AT } from './touches.ts';
import { beganIn, visitRowsSql } from './visit-rows.ts';

/** What `payers_first_visits` has of the events of each visit, by the dimension that it is. */
export const SEEN: Readonly<Record<string, string>> = {
  'event:page': 'pages',
  'event:goal': 'goal_names',
};
/** The same of an event. */
export const SEEN_OF_EVENT: typeof SEEN = { 'event:page': 'path', 'event:goal': 'name' };

/** The engine's type of a list of these; another is made of every list anew where both meet. */
export const SEEN_TYPE = "'Array(LowCardinality(String))'";
/** SQL of such a list with nothing in it. */
export const NOTHING_SEEN = `CAST([], ${SEEN_TYPE})`;

/** First visits of payers that are kept, for a question that means people. */
export function keptOf(question: Question): FirstVisits | undefined {
  const tellsBots = byPeople(question) === '1';
  return tellsBots ? undefined : question.firstVisits;
}

/** Those of whom is to be credited, if the question is one that credits first visits of any time. */
export function findKept(of: Facts['of'], question: Question): FirstVisits | undefined {
  const { model, lookbackDays } = question.attribution;
  const isFirst = of === 'payments' && model === 'first_touch' && lookbackDays === null;
  return isFirst ? keptOf(question) : undefined;
}

/** What keeping has to know of a question. */
export type Context = {
  readonly question: Question;
  readonly bind: Bind;
  /** Adds `seen`: what events of the visit have of a dimension, each once, as an array. */
  readonly seen?: EventDimension;
};

/**
 * SQL of payments credited as credit.ts does, with first visits from `payers_first_visits`, and over them
 * those of the open days, of days that have changed, and of who has become a payer since.
 *
 * - Shape: rows of facts have a `person_number`.
 */
export function keptCreditSql(
  rows: string,
  dimensions: readonly VisitDimension[],
  kept: FirstVisits,
  context: Context,
): string {
  const values = dimensions.map((_, index) => `v${index}`);
  const chosen = (column: string) => `if(is_kept, kept.${column}, late.${column})`;
  const columns = visitColumns(dimensions, context.question, context.bind);
  return `
    SELECT fact.*, toInt64(${WHOLE_CREDIT}) AS credit, ${isKeptFirst(kept)} AS is_kept,
      (kept.is_known = 1 OR late.is_known = 1)
        AND ${chosen('touch_at')} <= fact.credit_at + ${LATE_TOUCH_MAX_MS} AS is_credited,
      if(is_credited, ${chosen('touch_visit')}, ${NO_VISIT}) AS credited_visit
      ${values.map((value) => `, if(is_credited, ${chosen(value)}, ${OF_NOBODY}) AS ${value}`).join('')}
      ${context.seen === undefined ? '' : `, if(is_credited, ${chosen('seen')}, ${NOTHING_SEEN}) AS seen`}
    ${fromKeptSql(rows, columns, kept, context)}`;
}

/**
 * SQL of rows with a `person_number`, each with what is asked of its person's first visit.
 *
 * - Shape: `columns` are SQL of it over a row of `visits`, by the names that `names` says.
 */
export function withKeptFirstSql(
  rows: string,
  { columns, names }: { readonly columns: string; readonly names: readonly string[] },
  kept: FirstVisits,
  context: Context,
): string {
  const values = names.map(
    (name) => `, multiIf(${isKeptFirst(kept)}, kept.${name},
        late.is_known = 1, late.${name}, ${OF_NOBODY}) AS ${name}`,
  );
  return `
    SELECT fact.*${values.join('')}
    ${fromKeptSql(rows, columns, kept, context)}`;
}

/** SQL of facts with the visits that are kept of their persons, and those that are not. */
function fromKeptSql(rows: string, columns: string, kept: FirstVisits, context: Context): string {
  return `FROM (${rows}) AS fact
    ANY LEFT JOIN (${keptSql(columns, kept, context)}) AS kept
      ON fact.person_number = kept.touch_person
    ANY LEFT JOIN (${lateSql(columns, kept, context)}) AS late
      ON fact.person_number = late.touch_person`;
}

/** SQL that holds where the kept visit is the first of both. */
function isKeptFirst(kept: FirstVisits): string {
  const isBefore = isKeptBeforeLate(kept)
    ? '1'
    : '(kept.touch_at, kept.touch_visit) <= (late.touch_at, late.touch_visit)';
  return `kept.is_known = 1 AND (late.is_known = 0 OR ${isBefore})`;
}

/** Whether all visits that are not kept were after all that are. */
function isKeptBeforeLate(kept: FirstVisits): boolean {
  const { endsAt, openSince, changed, paymentsAfter, personsAfter } = kept;
  const isUnknown = paymentsAfter !== undefined || personsAfter !== undefined;
  return openSince >= endsAt && changed.length === 0 && !isUnknown;
}

/** SQL of the first visits that are kept and hold, a row for each person. */
function keptSql(columns: string, kept: FirstVisits, { question, bind, seen }: Context): string {
  const isPast = isPastSql(kept, question, bind);
  const holds = isPast === undefined ? '1' : `NOT (${isPast})`;
  return `
      SELECT person AS touch_person, 1 AS is_known, visit_id AS touch_visit, ${TOUCH_AT} AS touch_at
        ${columns}${seen === undefined ? '' : `, ${SEEN[seen.name]} AS seen`}
      FROM payers_first_visits WHERE ${all(ofRun(kept, question, bind), holds)}`;
}

/** SQL of the first of those visits that are not kept, or otherwise than they are, likewise. */
function lateSql(columns: string, kept: FirstVisits, { question, bind, seen }: Context): string {
  const visits = (which: string) => lateVisitsSql(which, kept, question, bind);
  const first = `
      SELECT visit.* EXCEPT (visitor), ${personNumber(question)} AS touch_person, 1 AS is_known
      FROM (${visits(`visitor, visit_id AS touch_visit, ${TOUCH_AT} AS touch_at${columns}`)}
      ) AS visit ${joinNumbers(question, bind)}
      ORDER BY touch_at, touch_visit
      LIMIT 1 BY touch_person`;
  if (seen === undefined) return first;
  return `
      SELECT first.*, events.seen AS seen
      FROM (${first}) AS first LEFT JOIN (
        SELECT visit_id AS seen_visit, groupUniqArray(${SEEN_OF_EVENT[seen.name]}) AS seen
        FROM events
        WHERE ${all(`site_id = ${bind(question.site.id, 'String')}`, DEEDS, seen.only)}
          AND occurred_at >= fromUnixTimestamp64Milli(
            (SELECT min(at) FROM (${visits(`${TOUCH_AT} AS at`)})), 'UTC')
          AND visit_id IN (SELECT touch_visit FROM (${visits('visit_id AS touch_visit')}))
        GROUP BY visit_id
      ) AS events ON first.touch_visit = events.seen_visit`;
}

/** SQL of visits of everybody where they are not kept, and of whoever's first is not, all. */
function lateVisitsSql(columns: string, kept: FirstVisits, question: Question, bind: Bind): string {
  const { endsAt, changed } = kept;
  const where = all(byPeople(question), IS_SOMEBODY, isOfOpenPayers(kept, question, bind));
  const unknown = unknownPersonsSql(kept, question, bind);
  const open = { startsAt: endsAt, endsAt: Number.POSITIVE_INFINITY };
  const before = { startsAt: Number.NEGATIVE_INFINITY, endsAt };
  const parts = [
    ...[...changed, open].map((period) => ({ columns, where, period })),
    ...(unknown === undefined
      ? []
      : [{ columns, where: all(where, isOfPersons(unknown, question, bind)), period: before }]),
  ];
  return parts.map((part) => visitRowsSql(question, bind, part)).join('\nUNION ALL');
}

/**
 * SQL that holds for rows with a `visitor` who may have the first visit among those that are not kept; `undefined` where
 * that may be anybody.
 */
export function isOfOpenPayers(
  kept: FirstVisits,
  question: Question,
  bind: Bind,
): string | undefined {
  const { openPayers } = kept;
  const isKnown = question.hasPersons === false && isKeptBeforeLate(kept);
  if (openPayers === undefined || !isKnown) return undefined;
  if (openPayers.length === 0) return '0';
  return `visitor IN (SELECT toUInt64(arrayJoin(${bind(openPayers, 'Array(String)')})))`;
}

/** SQL of the numbers of persons whose first visit may be another than the one that is kept. */
export function unknownPersonsSql(
  kept: FirstVisits,
  question: Question,
  bind: Bind,
): string | undefined {
  const { paymentsAfter, personsAfter } = kept;
  const after = (version: string) => isAfter(version, question, bind);
  const isPast = isPastSql(kept, question, bind);
  const who = [
    isPast !== undefined
      ? `SELECT person FROM payers_first_visits
          WHERE ${all(ofRun(kept, question, bind), `(${isPast})`)}`
      : undefined,
    paymentsAfter !== undefined
      ? `SELECT ${payerNumber(question)} AS person
          FROM payments ${joinPayers(question, bind)} WHERE ${after(paymentsAfter)}`
      : undefined,
    personsAfter !== undefined
      ? `SELECT ${toPersonNumber('person_id')} AS person FROM persons WHERE ${after(personsAfter)}`
      : undefined,
  ].filter((sql) => sql !== undefined);
  return who.length > 0 ? who.join('\nUNION ALL ') : undefined;
}

/**
 * SQL that holds for kept visits that may be nobody's first any more, or another person's: of days that
 * have changed, and of visitors who are somebody else now.
 */
function isPastSql(kept: FirstVisits, question: Question, bind: Bind): string | undefined {
  const { changed, personsAfter } = kept;
  const past = [
    changed.length > 0 ? beganIn(changed, bind) : undefined,
    personsAfter !== undefined
      ? `visitor IN (SELECT ${toPersonNumber('key')} FROM persons
          WHERE ${isAfter(personsAfter, question, bind)} AND kind = 'visitor')`
      : undefined,
  ].filter((sql) => sql !== undefined);
  return past.length > 0 ? past.join(' OR ') : undefined;
}

function isAfter(version: string, { site }: Question, bind: Bind): string {
  return `site_id = ${bind(site.id, 'String')} AND version > ${bind(version, 'UInt64')}`;
}

/** SQL that holds for rows with a `visitor` who is one of the persons with these numbers. */
function isOfPersons(numbers: string, question: Question, bind: Bind): string {
  if (question.hasPersons === false) return `visitor IN (${numbers})`;
  return `visitor IN (
        ${numbers} UNION ALL
        SELECT ${toPersonNumber('key')} FROM persons FINAL
        WHERE site_id = ${bind(question.site.id, 'String')} AND kind = 'visitor'
          AND ${toPersonNumber('person_id')} IN (${numbers}))`;
}

/** SQL that holds for rows of `payers_first_visits` of the run. */
export function ofRun({ run }: FirstVisits, { site }: Question, bind: Bind): string {
  return `site_id = ${bind(site.id, 'String')} AND run = ${bind(run, 'UInt64')}`;
}
