import { existsSync } from 'node:fs';
import { type QueueCounts, readJournalCounts } from '#storage/queue-counts.ts';
import { JOURNAL, OUTBOX } from '#storage/shipment-token.ts';
import { openLedgerCounts } from './open-counts.ts';

/** The counts of every queue by its number in batch ids: of the ledger's outbox, and of the journal. */
export function readQueues(paths: {
  readonly ledger: string;
  /** The journal's folder. */
  readonly journals: string;
}): Map<number, QueueCounts> {
  const queues = new Map<number, QueueCounts>();
  if (existsSync(paths.ledger)) {
    const ledger = openLedgerCounts(paths.ledger);
    queues.set(OUTBOX, ledger.outbox());
    ledger.close();
  }
  const journal = readJournalCounts(paths.journals);
  if (journal !== undefined) queues.set(JOURNAL, journal);
  return queues;
}
