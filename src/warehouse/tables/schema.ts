import { EVENTS } from './events.ts';
import { PAYMENTS, PERSONS, RATES } from './ledger-tables.ts';
import type { View } from './views.ts';
import { VISITORS } from './visitors.ts';
import { VISITS } from './visits.ts';

/** The tables that materialized views make of `events`. */
export const VIEWS: readonly View[] = [VISITS, VISITORS];

const TABLE_STATEMENTS: Readonly<Record<string, string>> = {
  events: EVENTS,
  visits: VISITS.create,
  visitors: VISITORS.create,
  payments: PAYMENTS,
  persons: PERSONS,
  rates: RATES,
};

/**
 * The statement that creates each table and view, by its name, in order; each may run again.
 *
 * - Shape: `events` holds what happened; views make `visits` and `visitors` of it; `payments`,
 *   `persons` and `rates` are projections of the ledger (ledger-tables.ts).
 * - Why no ALTER, even with IF NOT EXISTS: the engine writes the table's definition anew each time,
 *   and on a full disk leaves it empty, so that the table can never be read again.
 */
export const SCHEMA: Readonly<Record<string, string>> = {
  ...TABLE_STATEMENTS,
  ...Object.fromEntries(
    VIEWS.map(({ table, select }) => [
      `${table}_from_events`,
      `CREATE MATERIALIZED VIEW IF NOT EXISTS ${table}_from_events TO ${table} AS ${select({ from: 'events', where: '1' })}`,
    ]),
  ),
};

/** The names of the schema's tables, views left out. */
export const TABLES: readonly string[] = Object.keys(TABLE_STATEMENTS);
