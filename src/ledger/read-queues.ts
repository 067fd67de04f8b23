import { existsSync } from 'node:fs';
import { type QueueCounts, readJournalCounts } from '#storage/queue-counts.ts';
import { JOURNAL, OUTBOX } from '#storage/shipment-token.ts';
import { isPostgres } from '#storage/sql/sql.ts';
import { type LedgerCounts, openLedgerCounts } from './open-counts.ts';

/** The counts of the ledger's outbox and the journal, by their number in batch ids. */
export async function readQueues(paths: {
  readonly ledger: string;
  readonly journals: string;
}): Promise<Map<number, QueueCounts>> {
  const queues = new Map<number, QueueCounts>();
  const outbox = await withLedgerCounts(paths.ledger, (ledger) => ledger.readOutbox());
  if (outbox !== undefined) queues.set(OUTBOX, outbox);
  const journal = readJournalCounts(paths.journals);
  if (journal !== undefined) queues.set(JOURNAL, journal);
  return queues;
}

/**
 * Runs `work` with a read-only ledger, which also works beside a running server. Returns `undefined`
 * if there is no ledger.
 */
export async function withLedgerCounts<T>(
  location: string,
  work: (ledger: LedgerCounts) => T | Promise<T>,
): Promise<T | undefined> {
  if (!isPostgres(location) && !existsSync(location)) return undefined;
  const ledger = openLedgerCounts(location);
  try {
    return await work(ledger);
  } finally {
    await ledger.close();
  }
}
