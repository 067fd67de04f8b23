import { existsSync } from 'node:fs';
import { readQueues, withLedgerCounts } from '#ledger/open-ledger.ts';
import type { Warehouse } from '#warehouse/client/client.ts';
import { countDetachedParts } from '#warehouse/count-detached-parts.ts';

type LookedAtPaths = Readonly<Record<'ledger' | 'journals' | 'acceptedGaps', string>>;

/**
 * Describes shipped events that the warehouse has lost; `undefined` if none, or if its gaps were
 * accepted.
 *
 * Why at start: a warehouse whose files are gone is recreated empty, and would silently answer with
 * incomplete data.
 */
export async function findLack(
  paths: LookedAtPaths,
  warehouse: Pick<Warehouse, 'select'>,
): Promise<string | undefined> {
  const expected = existsSync(paths.acceptedGaps) ? 0 : await countShipped(paths);
  const sql = 'SELECT count() AS events FROM events';
  const [row] = await warehouse.select<{ events: string }>({ sql });
  const events = Number(row?.events);
  const broken = await countDetachedParts(warehouse);
  if (events >= expected && broken === 0) return undefined;
  const partsText = broken === 0 ? '' : `, and ${broken} broken parts were detached`;
  return `it has ${events} of at least ${expected} events${partsText}`;
}

/** The number of events that must be there. Counted before the warehouse, as more may arrive in between. */
async function countShipped(paths: LookedAtPaths): Promise<number> {
  const shipped = [...(await readQueues(paths)).values()].map((queue) => queue.shipped ?? 0);
  const erased = await withLedgerCounts(paths.ledger, (ledger) => ledger.erasedByJournal());
  const gone = [...(erased?.values() ?? [])].map(({ all }) => -all);
  return [...shipped, ...gone].reduce((sum, events) => sum + events, 0);
}
