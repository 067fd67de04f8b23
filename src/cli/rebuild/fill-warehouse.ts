import type { LedgerCounts } from '#ledger/open-counts.ts';
import { projectPayment } from '#ledger/payments/project-payment.ts';
import type { DataPaths } from '#processes/paths.ts';
import { readQueues } from '#storage/queue-counts.ts';
import { toToken } from '#storage/shipment-token.ts';
import type { Warehouse } from '#warehouse/client.ts';
import { createProgress } from '../create-progress.ts';
import { readShipments } from '../read-shipments.ts';
import { withLedgerCounts } from '../with-ledger.ts';

/** One insert's worth of events. */
const BATCH_BYTES = 16_000_000;
/** Versions of payments, and rows of persons, that are sent at a time. */
const PAGE_VERSIONS = 20_000n;
const PAGE_ROWS = 50_000;

/**
 * Fills an empty warehouse: with the archive's events, each once, and with payments and persons as far
 * as the ledger has shipped them. Returns how many events and rows of payments.
 *
 * Why not those that wait: the server ships them. Sending one twice is safe, as the newest version
 * of a row wins.
 */
export async function fillWarehouse(
  paths: DataPaths,
  warehouse: Warehouse,
): Promise<{ readonly events: number; readonly paymentRows: number }> {
  const events = await insertEvents(paths, warehouse);
  const paymentRows = await withLedgerCounts(paths.ledger, async (ledger) => {
    await insertPersons(ledger, warehouse);
    return insertPayments(ledger, warehouse);
  });
  return { events, paymentRows: paymentRows ?? 0 };
}

async function insertEvents(paths: DataPaths, warehouse: Warehouse): Promise<number> {
  const underWay = findUnderWay(paths);
  let events = 0;
  let batch: Buffer[] = [];
  let bytes = 0;

  async function insertBatch(): Promise<void> {
    if (bytes > 0) await warehouse.insertLines('events', Buffer.concat(batch));
    [batch, bytes] = [[], 0];
  }

  for await (const { token, lines, rows } of readShipments(paths.archive, createProgress)) {
    if (underWay.has(token)) continue;
    if (bytes + lines.length > BATCH_BYTES) await insertBatch();
    batch.push(lines);
    bytes += lines.length;
    events += rows;
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
function findUnderWay(paths: DataPaths): Set<string> {
  const queues = [...readQueues(paths)];
  return new Set(
    queues.flatMap(([journal, { shipments }]) => shipments.map((range) => toToken(journal, range))),
  );
}

async function insertPayments(ledger: LedgerCounts, warehouse: Warehouse): Promise<number> {
  const last = ledger.shippedVersion();
  let sent = 0;
  for (let after = 0n; after < last; after += PAGE_VERSIONS) {
    const upTo = after + PAGE_VERSIONS < last ? after + PAGE_VERSIONS : last;
    const rows = ledger.findPayments({ after, upTo }).flatMap(projectPayment);
    await insertRows(warehouse, 'payments', rows);
    sent += rows.length;
  }
  return sent;
}

async function insertPersons(ledger: LedgerCounts, warehouse: Warehouse): Promise<void> {
  let page: object[] = [];
  for (const row of ledger.personsUpTo(ledger.shippedPersonsVersion())) {
    page.push(row);
    if (page.length < PAGE_ROWS) continue;
    await insertRows(warehouse, 'persons', page);
    page = [];
  }
  await insertRows(warehouse, 'persons', page);
}

async function insertRows(
  warehouse: Warehouse,
  table: string,
  rows: readonly object[],
): Promise<void> {
  const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  if (rows.length > 0) await warehouse.insertLines(table, Buffer.from(lines));
}
