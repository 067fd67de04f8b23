import { readQueues } from '#ledger/read-queues.ts';
import type { DataPaths } from '#processes/paths.ts';
import { JOURNAL, OUTBOX, toJournalToken, toOutboxToken } from '#storage/shipment-token.ts';

/**
 * The tokens of shipments that journal and outbox will send again at the next start.
 *
 * Why a rebuild leaves them out: one may be in the archive already, and the new warehouse has not
 * heard of its token.
 */
export function findUnderWay(paths: DataPaths): Set<string> {
  const queues = readQueues(paths);
  return new Set([
    ...(queues.get(JOURNAL)?.shipments ?? []).map(toJournalToken),
    ...(queues.get(OUTBOX)?.shipments ?? []).map(toOutboxToken),
  ]);
}
