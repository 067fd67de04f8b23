import { readQueues } from '#ledger/read-queues.ts';
import type { DataPaths } from '#processes/paths.ts';
import { JOURNAL, OUTBOX, toJournalToken, toOutboxToken } from '#storage/shipment-token.ts';
import type { Warehouse } from '#warehouse/client.ts';
import { createProgress } from '../create-progress.ts';
import { readShipments } from '../read-shipments.ts';

/** One insert's worth. */
const BATCH_BYTES = 16_000_000;
const BATCH_ROWS = 50_000;

/** Inserts every shipment of the archive once into an empty warehouse. Returns how many events. */
export async function rebuildEvents(
  paths: Pick<DataPaths, 'archive' | 'journals' | 'ledger'>,
  warehouse: Pick<Warehouse, 'insertLines'>,
): Promise<number> {
  const underWay = findUnderWay(paths);
  let events = 0;
  let batch: Buffer[] = [];
  let bytes = 0;
  let rows = 0;

  async function insertBatch(): Promise<void> {
    if (rows > 0) await warehouse.insertLines('events', Buffer.concat(batch));
    events += rows;
    [batch, bytes, rows] = [[], 0, 0];
  }

  for await (const shipment of readShipments(paths.archive, createProgress)) {
    if (underWay.has(shipment.token)) continue;
    const { lines } = shipment;
    if (rows + shipment.rows > BATCH_ROWS || bytes + lines.length > BATCH_BYTES) {
      await insertBatch();
    }
    batch.push(lines);
    bytes += lines.length;
    rows += shipment.rows;
  }
  await insertBatch();
  return events;
}

/**
 * The tokens of shipments that journal and outbox will send again at the next start.
 *
 * Why a rebuild leaves them out: one may be in the archive already, and the new warehouse does not
 * know its token.
 */
function findUnderWay(paths: Pick<DataPaths, 'journals' | 'ledger'>): Set<string> {
  const queues = readQueues(paths);
  return new Set([
    ...(queues.get(JOURNAL)?.shipments ?? []).map(toJournalToken),
    ...(queues.get(OUTBOX)?.shipments ?? []).map(toOutboxToken),
  ]);
}
