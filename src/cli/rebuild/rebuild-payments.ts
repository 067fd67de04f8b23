import { existsSync } from 'node:fs';
import { openLedgerCounts } from '#ledger/open-counts.ts';
import { projectPayment } from '#ledger/project-payment.ts';
import type { Warehouse } from '#warehouse/client.ts';

/** Versions that are sent at a time. */
const PAGE_VERSIONS = 20_000n;

/**
 * Inserts every payment that the ledger calls shipped; answers how many rows that were.
 *
 * - Why not those that wait: they are shipped when the server runs. Sending one twice is safe, as
 *   the newest version of a row wins.
 */
export async function rebuildPayments(
  ledgerPath: string,
  warehouse: Pick<Warehouse, 'insertLines'>,
): Promise<number> {
  if (!existsSync(ledgerPath)) return 0;
  const ledger = openLedgerCounts(ledgerPath);
  let sent = 0;
  try {
    const last = ledger.shippedVersion();
    for (let after = 0n; after < last; after += PAGE_VERSIONS) {
      const upTo = after + PAGE_VERSIONS < last ? after + PAGE_VERSIONS : last;
      const rows = ledger.findPayments({ after, upTo }).flatMap(projectPayment);
      const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
      if (rows.length > 0) await warehouse.insertLines('payments', Buffer.from(lines));
      sent += rows.length;
    }
    return sent;
  } finally {
    ledger.close();
  }
}
