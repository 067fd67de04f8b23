import type { DataPaths } from '#processes/paths.ts';
import { type QueueCounts, readQueues } from '#storage/queue-counts.ts';
import { OUTBOX } from '#storage/shipment-token.ts';
import type { Warehouse } from '#warehouse/client.ts';
import { withLedgerCounts } from '../with-ledger.ts';
import { type Count, RECOUNT_LIMITS, toCount, toNotCompared } from './count.ts';

/**
 * The events of each journal as the journal counts them, against those in the warehouse.
 *
 * - Shape: a journal that the warehouse alone knows counts 0. One that lost its count to damage is not compared.
 * - Why twice: a shipment under way may be in the warehouse or not yet. Whatever was confirmed
 *   before the warehouse is asked must be there; nothing may be there that is not confirmed or under
 *   way afterwards.
 *   What erasures and retention took out is not expected.
 */
export async function countEvents(paths: DataPaths, warehouse: Warehouse): Promise<Count[]> {
  const before = readQueues(paths);
  const erasedBefore = await readErased(paths);
  const found = await readWarehouse(warehouse);
  const after = readQueues(paths);
  const erasedAfter = await readErased(paths);
  const numbers = new Set([...after.keys(), ...found.keys()]);
  return [...numbers]
    .toSorted((a, b) => a - b)
    .flatMap((number) => {
      const counts = after.get(number) ?? NONE;
      const shipped = [(before.get(number) ?? NONE).shipped, counts.shipped] as const;
      const least = (shipped[0] ?? 0) - (erasedAfter.get(number)?.all ?? 0);
      const most = (shipped[1] ?? 0) + counts.underWay - (erasedBefore.get(number)?.finished ?? 0);
      const isKnown = !shipped.includes(undefined);
      const bounds = isKnown ? { least, most, found: found.get(number) ?? 0 } : undefined;
      return compare(number, bounds, counts);
    });
}

const NONE: QueueCounts = {
  ...{ shipped: 0, underWay: 0, waiting: 0, damagedBatches: 0 },
  ...{ unconfirmedFrom: undefined, shipments: [] },
};

type Bounds = { readonly least: number; readonly most: number; readonly found: number };

function compare(number: number, bounds: Bounds | undefined, counts: QueueCounts): Count[] {
  const name = number === OUTBOX ? 'the ledger’s outbox' : `journal ${number}`;
  const waiting = counts.waiting > 0 ? ` (${counts.waiting} more wait)` : '';
  const what = `events of ${name}${waiting}`;
  const lost = `${what}: its count was lost`;
  const events = bounds === undefined ? toNotCompared(lost) : compareCounts(what, name, bounds);
  if (counts.damagedBatches === 0) return [events];
  return [events, toCount(`batches of ${name} that are set aside`, 0, counts.damagedBatches)];
}

function compareCounts(what: string, name: string, { least, most, found }: Bounds): Count {
  return {
    what,
    expected: least === most ? String(most) : `${least} to ${most}`,
    found: String(found),
    agrees: found >= least && found <= most,
    gap: { name, least: least - found, most: most - found },
  };
}

async function readErased({ ledger: path }: DataPaths) {
  return (await withLedgerCounts(path, (ledger) => ledger.erasedByJournal())) ?? new Map();
}

/** Batch ids are the journal's number in the high bits. */
async function readWarehouse(warehouse: Warehouse): Promise<Map<number, number>> {
  const rows = await warehouse.select<{ journal: string; events: string }>(
    {
      sql: 'SELECT bitShiftRight(batch_id, 40) AS journal, count() AS events FROM events GROUP BY journal',
    },
    RECOUNT_LIMITS,
  );
  return new Map(rows.map((row) => [Number(row.journal), Number(row.events)]));
}
