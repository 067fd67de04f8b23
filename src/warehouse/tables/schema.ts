import { EVENTS } from './events.ts';
import { COSTS, PAYMENTS, PERSONS } from './ledger-tables.ts';
import type { Rollup } from './views.ts';
import { VISITORS_VIEW } from './visitors.ts';
import { VISITS_VIEW } from './visits.ts';

/** The tables that materialized views fill from `events`. */
export const VIEWS: readonly Rollup[] = [VISITS_VIEW, VISITORS_VIEW];

const TABLE_STATEMENTS: Readonly<Record<string, string>> = {
  events: EVENTS,
  visits: VISITS_VIEW.create,
  visitors: VISITORS_VIEW.create,
  payments: PAYMENTS,
  persons: PERSONS,
  costs: COSTS,
};

/**
 * The statements that create each table and view, by name, in order. Each is idempotent.
 *
 * - Shape: views fill `visits` and `visitors` from `events`. `payments`, `persons` and `costs` are projections of
 *   the ledger (ledger-tables.ts).
 * - Why no ALTER among them, even with IF NOT EXISTS: the engine rewrites the table's definition each time. On a full
 *   disk it leaves the definition empty, and the table can never be read again. added-columns.ts has what is new.
 */
export const SCHEMA: Readonly<Record<string, string>> = {
  ...TABLE_STATEMENTS,
  ...Object.fromEntries(
    VIEWS.map((view) => [
      viewOf(view.table),
      `CREATE MATERIALIZED VIEW IF NOT EXISTS ${viewOf(view.table)} TO ${view.table} AS ${selectOf(view)}`,
    ]),
  ),
};

/** The name of the view that fills a table. */
export function viewOf(table: string): string {
  return `${table}_from_events`;
}

/** What the view of a table inserts. */
export function selectOf({ select }: Rollup): string {
  return select({ from: 'events', where: '1' });
}

/** The names of the schema's tables, without views. */
export const TABLES: readonly string[] = Object.keys(TABLE_STATEMENTS);
