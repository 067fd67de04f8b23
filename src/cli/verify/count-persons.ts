import { existsSync } from 'node:fs';
import { openLedgerCounts } from '#ledger/open-counts.ts';
import type { DataPaths } from '#processes/paths.ts';
import type { Warehouse } from '#warehouse/client.ts';
import { type Count, toCount } from './count.ts';
import { RECOUNT_LIMITS } from './recount-limits.ts';

/**
 * The rows of `persons` that are shipped, against those in the warehouse.
 *
 * - Why the ledger is asked again afterwards: a row that changed meanwhile has a later version.
 */
export async function countPersons(paths: DataPaths, warehouse: Warehouse): Promise<Count[]> {
  if (!existsSync(paths.ledger)) return [];
  const ledger = openLedgerCounts(paths.ledger);
  try {
    const upTo = ledger.shippedPersonsVersion();
    const [row] = await warehouse.select<{ persons: string }>(
      {
        sql: 'SELECT count() AS persons FROM persons FINAL WHERE version <= {up_to:UInt64}',
        params: { up_to: String(upTo) },
      },
      RECOUNT_LIMITS,
    );
    const expected = ledger.countPersons(upTo);
    if (expected === 0 && row?.persons === '0') return [];
    return [toCount('visitors and transactions of persons', expected, row?.persons ?? 0)];
  } finally {
    ledger.close();
  }
}
