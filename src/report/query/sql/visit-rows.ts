import type { Bind } from '../../dimension.ts';
import type { Scope } from '../plan/plan.ts';
import { all, inSpan, ofSite, type Span } from './rows.ts';

/** Which visits, and what of each. */
type VisitRows = {
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
export function visitRowsSql(
  scope: Scope,
  bind: Bind,
  { columns, where, period, byKey }: VisitRows,
): string {
  const isOf = all(ofSite(scope, bind), period && inSpan('visit_started_at', period, bind));
  const isKey =
    byKey &&
    `(visit_started_at, visit_id) IN (
      SELECT visit_started_at, visit_id FROM visits WHERE ${all(isOf, byKey)})`;
  return `
    SELECT ${columns} FROM visits FINAL
    WHERE ${all(isOf, isKey, where)}`;
}
