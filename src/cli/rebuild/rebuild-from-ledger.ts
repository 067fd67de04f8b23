import type { LedgerCounts } from '#ledger/open-counts.ts';
import { projectPayment } from '#ledger/payments/project-payment.ts';
import type { Warehouse } from '#warehouse/client.ts';
import { withLedgerCounts } from '../with-ledger.ts';

/** Versions of payments, and rows of persons, that are sent at a time. */
const PAGE_VERSIONS = 20_000n;
const PAGE_ROWS = 50_000;

type InsertingWarehouse = Pick<Warehouse, 'insertLines'>;

/**
 * Inserts payments and persons, as far as the ledger has shipped them. Returns the rows of payments.
 *
 * Why not those that wait: the server ships them. Sending one twice is safe, as the newest version
 * of a row wins.
 */
export async function rebuildFromLedger(
  ledgerPath: string,
  warehouse: InsertingWarehouse,
): Promise<number> {
  const paymentRows = await withLedgerCounts(ledgerPath, async (ledger) => {
    await insertPersons(ledger, warehouse);
    return insertPayments(ledger, warehouse);
  });
  return paymentRows ?? 0;
}

async function insertPayments(
  ledger: LedgerCounts,
  warehouse: InsertingWarehouse,
): Promise<number> {
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

async function insertPersons(ledger: LedgerCounts, warehouse: InsertingWarehouse): Promise<void> {
  const upTo = ledger.shippedPersonsVersion();
  for (let after = 0; ; ) {
    const rows = ledger.findPersons({ after, upTo }, PAGE_ROWS);
    const last = rows.at(-1);
    if (last === undefined) return;
    await insertRows(warehouse, 'persons', rows);
    after = last.version;
  }
}

async function insertRows(
  warehouse: InsertingWarehouse,
  table: string,
  rows: readonly object[],
): Promise<void> {
  const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  if (rows.length > 0) await warehouse.insertLines(table, Buffer.from(lines));
}
