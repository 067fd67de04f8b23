import type { Warehouse } from '../client.ts';
import { WHOLE_LIMITS } from '../query-limits.ts';
import type { View } from '../tables/views.ts';

/** Which events a view's rows are made of again. */
export type PutBack = {
  /** SQL of a condition; `e` is the event. */
  readonly where: string;
  readonly params: Readonly<Record<string, unknown>>;
};

/**
 * Makes rows of a view again from the events that meet the condition, none when no event does.
 *
 * - The caller has taken out the rows that these events had made before.
 */
export async function putBack(
  warehouse: Warehouse,
  { table, columns, select }: View,
  { where, params }: PutBack,
): Promise<void> {
  const [row] = await warehouse.select<{ left: string }>(
    { sql: `SELECT count() AS left FROM events AS e WHERE ${where}`, params },
    WHOLE_LIMITS,
  );
  if (row?.left === '0') return;
  await warehouse.command({
    sql: `INSERT INTO ${table} (${columns.join(', ')}) SETTINGS insert_deduplicate = 0 ${select({ from: 'events', where })}`,
    params,
  });
}
