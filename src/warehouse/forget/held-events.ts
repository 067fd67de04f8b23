import type { Statement, Warehouse } from '../client.ts';
import { WHOLE_LIMITS } from '../query-limits.ts';
import type { View } from '../tables/views.ts';

/** Events that are to go, by the journal they came through, with the batches that hold them. */
export type HeldEvents = {
  readonly rowsByJournal: ReadonlyMap<number, number>;
  readonly batchIds: readonly string[];
};

/** The events for which a condition holds; in it `e` is the event. */
export async function countHeld(
  warehouse: Pick<Warehouse, 'select'>,
  { sql, params = {} }: Statement,
): Promise<HeldEvents> {
  const rows = await warehouse.select<{ batch_id: string; rows: string }>(
    {
      sql: `SELECT toString(e.batch_id) AS batch_id, count() AS rows FROM events AS e
        WHERE ${sql} GROUP BY e.batch_id`,
      params,
    },
    WHOLE_LIMITS,
  );
  const rowsByJournal = new Map<number, number>();
  for (const row of rows) {
    const journal = Number(BigInt(row.batch_id) >> 40n);
    rowsByJournal.set(journal, (rowsByJournal.get(journal) ?? 0) + Number(row.rows));
  }
  return { rowsByJournal, batchIds: rows.map((row) => row.batch_id) };
}

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
