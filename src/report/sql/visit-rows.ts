import type { Bind } from '../dimension.ts';
import type { Question, Span } from '../question.ts';
import { all, instant } from './rows.ts';

/** Which visits, and what of each. */
export type VisitRows = {
  /** SQL of columns over a row of `visits`: `visit_id, source AS v0`. */
  readonly columns: string;
  /** SQL of a condition over the same. */
  readonly where: string;
  /** When they began; left out, whenever they did. */
  readonly period?: Span;
  /** SQL of a condition that few meet, part of `where`: by it visits are looked up that must be merged. */
  readonly byKey?: string;
};

/**
 * SQL of rows of visits of the question's site, each visit once: those of settled days from
 * `settled_visits`, others from `visits FINAL`, which has the same columns by the same names.
 */
export function visitRowsSql(question: Question, bind: Bind, rows: VisitRows): string {
  const { columns, where, period = EVER, byKey } = rows;
  const settled = (question.settled ?? []).flatMap((span) => shared(span, period));
  const open = gapsBetween(settled, period);
  const isOf = (spans: readonly Span[]) =>
    all(`site_id = ${bind(question.site.id, 'String')}`, beganIn(spans, bind));
  const from = (table: string, spans: readonly Span[], only?: string) => `
    SELECT ${columns} FROM ${table}
    WHERE ${all(isOf(spans), only, where)}`;
  const keys =
    byKey &&
    `(visit_started_at, visit_id) IN (
      SELECT visit_started_at, visit_id FROM visits WHERE ${all(isOf(open), byKey)})`;
  return [
    ...(open.length > 0 ? [from('visits FINAL', open, keys)] : []),
    ...(settled.length > 0 ? [from('settled_visits', settled)] : []),
  ].join('\nUNION ALL');
}

const EVER: Span = { startsAt: Number.NEGATIVE_INFINITY, endsAt: Number.POSITIVE_INFINITY };

function shared(one: Span, other: Span): Span[] {
  const startsAt = Math.max(one.startsAt, other.startsAt);
  const endsAt = Math.min(one.endsAt, other.endsAt);
  return startsAt < endsAt ? [{ startsAt, endsAt }] : [];
}

/** What of the period no span covers. */
function gapsBetween(spans: readonly Span[], period: Span): Span[] {
  const starts = [period.startsAt, ...spans.map(({ endsAt }) => endsAt)];
  const ends = [...spans.map(({ startsAt }) => startsAt), period.endsAt];
  return starts.flatMap((startsAt, index) => {
    const endsAt = ends[index] ?? startsAt;
    return startsAt < endsAt ? [{ startsAt, endsAt }] : [];
  });
}

/** SQL that holds for visits that began in one of these spans. */
export function beganIn(spans: readonly Span[], bind: Bind): string {
  const conditions = spans.map(({ startsAt, endsAt }) =>
    all(
      startsAt > EVER.startsAt ? `visit_started_at >= ${instant(startsAt, bind)}` : undefined,
      endsAt < EVER.endsAt ? `visit_started_at < ${instant(endsAt, bind)}` : undefined,
    ),
  );
  return conditions.some((condition) => condition === '') ? '1' : `(${conditions.join(' OR ')})`;
}
