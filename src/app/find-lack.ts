import { existsSync } from 'node:fs';
import { openLedgerCounts } from '#ledger/open-counts.ts';
import { readQueues } from '#storage/queue-counts.ts';
import type { Warehouse } from '#warehouse/client.ts';
import { countDetachedParts } from '#warehouse/count-detached-parts.ts';

type LookedAtPaths = Readonly<Record<'ledger' | 'journals' | 'acceptedGaps', string>>;

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
  const sql = 'SELECT count() AS events FROM events';
  const [row] = await warehouse.select<{ events: string }>({ sql });
  const events = Number(row?.events);
  const broken = await countDetachedParts(warehouse);
  if (events >= expected && broken === 0) return undefined;
  const partsText = broken === 0 ? '' : `, and ${broken} broken parts were put away`;
  return `it has ${events} of at least ${expected} events${partsText}`;
}

/** Events that must be there: counted before the warehouse is queried, while more may come. */
function countShipped(paths: LookedAtPaths): number {
  const shipped = [...readQueues(paths).values()].map((queue) => queue.shipped ?? 0);
  const ledger = openLedgerCounts(paths.ledger);
  try {
    const erased = [...ledger.erasedByJournal().values()].map(({ all }) => -all);
    return [...shipped, ...erased].reduce((sum, events) => sum + events, 0);
  } finally {
    ledger.close();
  }
}
