import { LATE_TOUCH_MAX_MS } from '#domain/attribution/find-path.ts';
import { DEEDS } from '#warehouse/events-table.ts';
import type { Bind, EventDimension, VisitDimension } from '../dimension.ts';
import type { FirstVisits, Question } from '../question.ts';
import { WHOLE_CREDIT } from './credited-facts.ts';
import {
  type Context,
  isOfOpenPayers,
  keptCreditSql,
  NOTHING_SEEN,
  ofRun,
  SEEN,
  SEEN_OF_EVENT,
  SEEN_TYPE,
  unknownPersonsSql,
} from './kept-credit.ts';
import { IS_SOMEBODY, joinNumbers, personNumber } from './person-numbers.ts';
import { all, byPeople, instant, NO_VISIT, visitColumns } from './rows.ts';
import { TOUCH_AT } from './touches.ts';
import { visitRowsSql } from './visit-rows.ts';

/** The only one of these dimensions, if what events of kept visits have of it is kept, too. */
export function findSeenKept(dimensions: readonly EventDimension[]): EventDimension | undefined {
  const [dimension] = dimensions;
  if (dimension === undefined || dimensions.length > 1) return undefined;
  return SEEN[dimension.name] === undefined ? undefined : dimension;
}

/**
 * SQL of payments credited as {@link keptCreditSql} does, with `seen`: what events of the credited visit have of
 * a dimension, each once, as an array; those without any may be left out.
 *
 * Why not by the same joins: lists are dear to look up. Where every kept visit holds, and was before all that are
 * not kept, they pass by the payments instead.
 */
export function keptSeenSql(
  rows: string,
  dimensions: readonly VisitDimension[],
  kept: FirstVisits,
  context: Required<Context>,
): string {
  const { question, bind } = context;
  if (unknownPersonsSql(kept, question, bind) !== undefined) {
    return keptCreditSql(rows, dimensions, kept, context);
  }
  const values = dimensions.map((_, index) => `, first.v${index} AS v${index}`);
  return `
    SELECT fact.*, toInt64(${WHOLE_CREDIT}) AS credit, first.touch_visit AS credited_visit
      ${values.join('')}, first.seen AS seen
    FROM (${firstSql(dimensions, kept, context)}) AS first
    INNER JOIN (${rows}) AS fact ON first.touch_person = fact.person_number
    WHERE first.touch_at <= fact.credit_at + ${LATE_TOUCH_MAX_MS}`;
}

/** SQL of everybody's first visit with its `seen`: those that are not kept in a row for each value. */
function firstSql(
  dimensions: readonly VisitDimension[],
  kept: FirstVisits,
  { question, bind, seen }: Required<Context>,
): string {
  const values = dimensions.map((_, index) => `, v${index}`).join('');
  const columns = visitColumns(dimensions, question, bind);
  const early = earlyPersonsSql(kept, question, bind);
  const isSure = early === undefined ? '1' : `person NOT IN (${early})`;
  const keptVisits = (which: string) => `
      SELECT person AS touch_person, visit_id AS touch_visit, ${TOUCH_AT} AS touch_at, 1 AS is_kept,
        ${SEEN[seen.name]} AS seen${columns}
      FROM payers_first_visits WHERE ${all(ofRun(kept, question, bind), which)}`;
  const isOfPayers = isOfOpenPayers(kept, question, bind);
  const open = visitRowsSql(question, bind, {
    columns: `visitor, visit_id AS touch_visit, ${TOUCH_AT} AS touch_at${columns}`,
    where: all(byPeople(question), IS_SOMEBODY, isOfPayers),
    period: { startsAt: kept.endsAt, endsAt: Number.POSITIVE_INFINITY },
  });
  const person = personNumber(question);
  const hasNoneKept = `WHERE ${person} NOT IN (SELECT person
        FROM payers_first_visits WHERE ${all(ofRun(kept, question, bind), isSure)})`;
  const late = `
      SELECT ${person} AS touch_person, touch_visit, touch_at, 0 AS is_kept, ${NOTHING_SEEN} AS seen${values}
      FROM (${open}) AS visit ${joinNumbers(question, bind)}
      ${isOfPayers === undefined ? hasNoneKept : ''}`;
  const others =
    early === undefined ? late : `${late} UNION ALL ${keptVisits(`person IN (${early})`)}`;
  return `${keptVisits(isSure)}
    UNION ALL
    SELECT touch_person, touch_visit, touch_at, is_kept,
      CAST(if(is_kept = 1, first.seen, [events.value]), ${SEEN_TYPE}) AS seen${values}
    FROM (
      SELECT * FROM (${others}) ORDER BY touch_at, touch_visit LIMIT 1 BY touch_person
    ) AS first LEFT JOIN (
      SELECT DISTINCT visit_id AS seen_visit, ${SEEN_OF_EVENT[seen.name]} AS value, 1 AS is_found
      FROM events
      WHERE ${all(`site_id = ${bind(question.site.id, 'String')}`, DEEDS, seen.only)}
        AND ${all(`occurred_at >= ${instant(kept.openSince, bind)}`, `visit_id != ${NO_VISIT}`, isOfPayers)}
    ) AS events ON if(is_kept = 1, ${NO_VISIT}, touch_visit) = seen_visit
    WHERE is_kept = 1 OR is_found = 1`;
}

/**
 * SQL of who may have a visit of an open day that was before the kept one, and some others: one whose first event
 * was before its start, which is just after midnight by its visitor's clock. Nothing where there is none.
 */
function earlyPersonsSql(kept: FirstVisits, question: Question, bind: Bind): string | undefined {
  const { endsAt, openSince } = kept;
  if (openSince >= endsAt) return undefined;
  return `SELECT ${personNumber(question)} AS person
      FROM (
        SELECT visitor FROM visits
        WHERE site_id = ${bind(question.site.id, 'String')}
          AND visit_started_at >= ${instant(endsAt, bind)} AND ${TOUCH_AT} < ${bind(endsAt, 'Int64')}
      ) AS early ${joinNumbers(question, bind)}`;
}
