import { existsSync } from 'node:fs';
import { openLedgerCounts } from '#ledger/open-counts.ts';
import type { Warehouse } from '#warehouse/client.ts';

/** Rows that are sent at a time. */
const PAGE_ROWS = 50_000;

/** Inserts whose visitors and transactions are, as far as the ledger calls it shipped. */
export async function rebuildPersons(
  ledgerPath: string,
  warehouse: Pick<Warehouse, 'insertLines'>,
): Promise<void> {
  if (!existsSync(ledgerPath)) return;
  const ledger = openLedgerCounts(ledgerPath);
  try {
    const upTo = ledger.shippedPersonsVersion();
    for (let after = 0; ; ) {
      const rows = ledger.findPersons({ after, upTo }, PAGE_ROWS);
      const last = rows.at(-1);
      if (last === undefined) return;
      const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
      await warehouse.insertLines('persons', Buffer.from(lines));
      after = last.version;
    }
  } finally {
    ledger.close();
  }
}
