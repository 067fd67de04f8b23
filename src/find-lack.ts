import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { listJournals } from '#journal/list-journals.ts';
import { readJournalCounts } from '#journal/queue-counts.ts';
import { openLedgerCounts } from '#ledger/open-counts.ts';
import type { Warehouse } from '#warehouse/client.ts';

type LookedAtPaths = {
  readonly ledger: string;
  readonly acceptedGaps: string;
  journal(number: number): string;
};

/**
 * What the warehouse lacks of all that was shipped to it, in words; `undefined` when nothing, or where
 * somebody took it with gaps.
 *
 * Why at a start: a warehouse whose files were lost is made anew, empty, and answers as if nothing were.
 */
export async function findLack(
  paths: LookedAtPaths,
  warehouse: Pick<Warehouse, 'select'>,
): Promise<string | undefined> {
  const expected = existsSync(paths.acceptedGaps) ? 0 : countShipped(paths);
  const [row] = await warehouse.select<{ events: string; broken: string }>({
    sql: `SELECT count() AS events, (
        SELECT count() FROM system.detached_parts
        WHERE database = currentDatabase() AND reason LIKE 'broken%') AS broken
      FROM events`,
  });
  const [events, broken] = [Number(row?.events), Number(row?.broken)];
  if (events >= expected && broken === 0) return undefined;
  const partsText = broken === 0 ? '' : `, and ${broken} broken parts were put away`;
  return `it has ${events} of at least ${expected} events${partsText}`;
}

/** Events that must be there: counted before the warehouse is asked, while more may come. */
function countShipped(paths: LookedAtPaths): number {
  const ledger = openLedgerCounts(paths.ledger);
  try {
    const erased = [...ledger.erasedByJournal().values()].reduce((sum, { all }) => sum + all, 0);
    const shipped = listJournals(dirname(paths.journal(1))).map(
      ({ path }) => readJournalCounts(path).shipped,
    );
    return shipped.reduce((sum, rows) => sum + rows, ledger.outbox().shipped) - erased;
  } finally {
    ledger.close();
  }
}
