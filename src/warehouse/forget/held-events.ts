import { BLOCK_BITS, type CountedBatches } from '#domain/identity/counted-batches.ts';
import type { Warehouse } from '../client/client.ts';
import { WHOLE_LIMITS } from '../client/query-limits.ts';

/** Events of one journal to delete: their number and batches. */
export type HeldEvents = CountedBatches & { readonly rows: number };

/** SQL condition for a counted event. */
export const IS_COUNTED = `arrayExists(last -> bitShiftRight(last, 40) = bitShiftRight(batch_id, 40)
  AND batch_id <= last, {counted:Array(UInt64)})`;
/** The parameter of {@link IS_COUNTED}. */
export const toCountedParam = (counted: readonly CountedBatches[]) => ({
  counted: counted.map(({ lastBatch }) => lastBatch),
});

/** Finds events that match a condition and are not counted yet. */
export async function findHeldEvents(
  warehouse: Pick<Warehouse, 'select'>,
  where: string,
  params: Readonly<Record<string, unknown>>,
): Promise<HeldEvents[]> {
  const rows = await warehouse.select<Record<'journal' | 'rows' | 'last' | 'blocks', string>>(
    {
      sql: `SELECT bitShiftRight(batch_id, 40) AS journal, count() AS rows, max(batch_id) AS last,
          arrayStringConcat(groupUniqArray(bitShiftRight(batch_id, ${BLOCK_BITS})), ',') AS blocks
        FROM events WHERE ${where} AND NOT ${IS_COUNTED} GROUP BY journal`,
      params,
    },
    WHOLE_LIMITS,
  );
  return rows.map(({ journal, rows, last, blocks }) => ({
    journal: Number(journal),
    rows: Number(rows),
    lastBatch: Number(last),
    blocks: blocks.split(',').map(Number),
  }));
}
