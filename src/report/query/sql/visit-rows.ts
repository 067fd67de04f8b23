import type { Bind } from '../../dimension.ts';
import type { Scope } from '../plan/plan.ts';
import { all, instant, ofSite } from './rows.ts';

/** From one instant up to another, which is left out. Milliseconds since 1970, UTC. */
export type Span = { readonly startsAt: number; readonly endsAt: number };

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

/** SQL of rows of visits of the query's site, each visit once. */
export function visitRowsSql(scope: Scope, bind: Bind, rows: VisitRows): string {
  const { columns, where, period, byKey } = rows;
  const isOf = all(ofSite(scope, bind), beganIn(period, bind));
  const isKey =
    byKey &&
    `(visit_started_at, visit_id) IN (
      SELECT visit_started_at, visit_id FROM visits WHERE ${all(isOf, byKey)})`;
  return `
    SELECT ${columns} FROM visits FINAL
    WHERE ${all(isOf, isKey, where)}`;
}

/** SQL that holds for visits that began in the span. */
function beganIn(span: Span | undefined, bind: Bind): string | undefined {
  if (span === undefined) return undefined;
  const { startsAt, endsAt } = span;
  return all(
    startsAt > Number.NEGATIVE_INFINITY
      ? `visit_started_at >= ${instant(startsAt, bind)}`
      : undefined,
    endsAt < Number.POSITIVE_INFINITY ? `visit_started_at < ${instant(endsAt, bind)}` : undefined,
  );
}
