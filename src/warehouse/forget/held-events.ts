import type { Statement, Warehouse } from '../client.ts';
import { WHOLE_LIMITS } from '../query-limits.ts';

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
