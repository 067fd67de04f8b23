import { existsSync } from 'node:fs';
import { openLedgerCounts } from '#ledger/open-counts.ts';
import type { Warehouse } from '#warehouse/client.ts';
import { findExpiredEvents } from '#warehouse/forget-before.ts';
import { findHeldEvents } from '#warehouse/forget-visitors.ts';

/**
 * How many events of a journal erasures and retention have taken out of the warehouse by now.
 *
 * - Shape: it only grows, so that two answers that are the same say that nothing went in between.
 */
export async function countErased(
  ledgerPath: string,
  number: number,
  warehouse: Pick<Warehouse, 'select'>,
): Promise<number> {
  if (!existsSync(ledgerPath)) return 0;
  const ledger = openLedgerCounts(ledgerPath);
  try {
    const { erasures, expiries } = ledger.findUnderWay();
    let erased = ledger.erasedByJournal().get(number)?.all ?? 0;
    for (const { subject, ...erasure } of erasures) {
      const held = await findHeldEvents(warehouse, { ...erasure, ...subject });
      erased -= held.rowsByJournal.get(number) ?? 0;
    }
    for (const expiry of expiries) {
      const held = await findExpiredEvents(warehouse, expiry);
      erased -= held.rowsByJournal.get(number) ?? 0;
    }
    return erased;
  } finally {
    ledger.close();
  }
}
