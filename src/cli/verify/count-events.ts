import { globSync } from 'node:fs';
import { join } from 'node:path';
import { DAMAGED_FOLDER } from '#journal/set-damaged-aside.ts';
import { readQueues, withLedgerCounts } from '#ledger/open-ledger.ts';
import type { DataPaths } from '#processes/paths.ts';
import type { QueueCounts } from '#storage/queue-counts.ts';
import { JOURNAL, OUTBOX, toBatchId } from '#storage/shipment-token.ts';
import type { Warehouse } from '#warehouse/client/client.ts';
import { type Check, RECOUNT_LIMITS, toCount, toNotCompared } from './count.ts';

/** A range of batch ids. */
export type BatchRange = { readonly from: bigint; readonly to: bigint };

/** The number of damaged journal files that nobody has removed yet. */
export function countDamagedFiles({ journals }: DataPaths): number {
  return globSync('*.db', { cwd: join(journals, DAMAGED_FOLDER) }).length;
}

/**
 * Finds the batches that may not be in warehouse and archive yet. Counts exclude them, so that
 * shipping in the meantime does not distort the result. If no server runs, these are the
 * interrupted shipments. A journal without a file has none.
 */
export function findUnconfirmed(
  queues: ReadonlyMap<number, QueueCounts>,
  isServing: boolean,
): BatchRange[] {
  return [OUTBOX, JOURNAL].flatMap((number) => {
    const { unconfirmedFrom = 0, shipments } = queues.get(number) ?? { shipments: [] };
    const to = toBatchId(number + 1, 0) - 1n;
    if (isServing && queues.has(number)) return [{ from: toBatchId(number, unconfirmedFrom), to }];
    return shipments.map(({ firstSeq, lastSeq }) => ({
      ...{ from: toBatchId(number, firstSeq), to: toBatchId(number, lastSeq) },
    }));
  });
}

/** SQL condition for events in confirmed batches. */
export function isConfirmedSql(unconfirmed: readonly BatchRange[]): string {
  const ranges = unconfirmed.map(({ from, to }) => `batch_id BETWEEN ${from} AND ${to}`);
  return `NOT (${ranges.join(' OR ') || '0'})`;
}

/**
 * Compares each journal's count of shipped events with the warehouse, minus events removed by
 * erasures and retention.
 *
 * - Shape: a journal known only to the warehouse counts 0. One whose count was lost is not compared: to damage, or with
 *   its file, as in a restored backup.
 */
export async function countEvents(
  paths: DataPaths,
  warehouse: Warehouse,
  isServing: boolean,
): Promise<Check[]> {
  const erased = await withLedgerCounts(paths.ledger, (ledger) => ledger.erasedByJournal());
  const queues = await readQueues(paths);
  const found = await readWarehouse(warehouse, findUnconfirmed(queues, isServing));
  const numbers = [...new Set([...queues.keys(), ...found.keys()])].toSorted((a, b) => a - b);
  return numbers.flatMap((number) => {
    const { shipped, waiting, damagedBatches } =
      queues.get(number) ?? (number === JOURNAL ? LOST : NONE);
    const { all = 0, finished = 0 } = erased?.get(number) ?? {};
    const name = number === OUTBOX ? 'the ledger’s outbox' : `journal ${number}`;
    const what = `events of ${name}${waiting > 0 ? ` (${waiting} more waiting)` : ''}`;
    const events =
      shipped === undefined
        ? toNotCompared(`${what}: its count was lost`)
        : compare(what, name, [shipped - all, shipped - finished], found.get(number) ?? 0);
    if (damagedBatches === 0) return [events];
    return [events, toCount(`batches of ${name} set aside`, 0, damagedBatches)];
  });
}

const NONE = { shipped: 0, waiting: 0, damagedBatches: 0 };
const LOST = { ...NONE, shipped: undefined };

function compare(
  what: string,
  name: string,
  [least, most]: readonly [number, number],
  found: number,
): Check {
  return {
    what,
    expected: least === most ? String(most) : `${least} to ${most}`,
    found: String(found),
    agrees: found >= least && found <= most,
    gap: { name, least: least - found, most: most - found },
  };
}

/** The number of events by journal, which is in the high bits of a batch id. */
async function readWarehouse(
  warehouse: Warehouse,
  unconfirmed: readonly BatchRange[],
): Promise<Map<number, number>> {
  const sql = `SELECT bitShiftRight(batch_id, 40) AS journal, count() AS events
    FROM events WHERE ${isConfirmedSql(unconfirmed)} GROUP BY journal`;
  const rows = await warehouse.select<Record<'journal' | 'events', string>>(
    { sql },
    RECOUNT_LIMITS,
  );
  return new Map(rows.map((row) => [Number(row.journal), Number(row.events)]));
}
