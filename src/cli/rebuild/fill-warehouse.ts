import { openRates } from '#enrich/rates/open-rates.ts';
import { readQueues, withLedgerCounts } from '#ledger/open-ledger.ts';
import type { DataPaths } from '#processes/paths.ts';
import { toToken } from '#storage/shipment-token.ts';
import type { Warehouse } from '#warehouse/client/client.ts';
import { createProgress } from '../io/create-progress.ts';
import { readShipments } from '../stores/read-shipments.ts';

/** Size of an insert of events. */
const BATCH_BYTES = 16_000_000;
/** Versions of payments and costs, and rows of persons, sent at a time. */
const PAGE_VERSIONS = 20_000;
const PAGE_ROWS = 50_000;

/**
 * Fills an empty warehouse with the archive's events, each once, and with the payments, persons and
 * costs that the ledger has shipped. Returns the number of events and payment rows.
 *
 * Why not the waiting ones: the server ships them later. Sending a row twice is safe, because its
 * newest version wins.
 */
export async function fillWarehouse(
  paths: DataPaths,
  warehouse: Warehouse,
): Promise<{ readonly events: number; readonly paymentRows: number }> {
  const events = await insertEvents(paths, warehouse);
  const paymentRows = await withLedgerCounts(paths.ledger, async (ledger) => {
    await insertPersons(ledger.personsUpTo(await ledger.shippedPersonsVersion()), warehouse);
    const rates = openRates(paths.rates);
    const fill = async (of: 'payments' | 'costs') => {
      const read = await ledger[of].createReadRows(rates);
      return insertVersions(of, read, await ledger[of].shippedVersion(), warehouse);
    };
    await fill('costs');
    return fill('payments');
  });
  return { events, paymentRows: paymentRows ?? 0 };
}

async function insertEvents(paths: DataPaths, warehouse: Warehouse): Promise<number> {
  const underWay = await findUnderWay(paths);
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
 * The tokens of interrupted shipments, which journal and outbox send again at the next start.
 *
 * Why a rebuild skips them: one may already be in the archive, and the new warehouse does not know
 * its token, so it would be inserted twice.
 */
async function findUnderWay(paths: DataPaths): Promise<Set<string>> {
  const queues = [...(await readQueues(paths))];
  return new Set(
    queues.flatMap(([journal, { shipments }]) => shipments.map((range) => toToken(journal, range))),
  );
}

async function insertVersions(
  table: 'payments' | 'costs',
  read: (versions: { after: number; upTo: number }) => Promise<readonly object[]>,
  last: number,
  warehouse: Warehouse,
): Promise<number> {
  let sent = 0;
  for (let after = 0; after < last; after += PAGE_VERSIONS) {
    const upTo = Math.min(after + PAGE_VERSIONS, last);
    const rows = await read({ after, upTo });
    await insertRows(warehouse, table, rows);
    sent += rows.length;
  }
  return sent;
}

async function insertPersons(rows: AsyncIterable<object>, warehouse: Warehouse): Promise<void> {
  let page: object[] = [];
  for await (const row of rows) {
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
