import { existsSync } from 'node:fs';
import { listJournals } from '#storage/list-journals.ts';
import { type QueueCounts, readJournalCounts } from '#storage/queue-counts.ts';
import { openLedgerCounts } from './open-counts.ts';

/** The counts of every queue by its journal's number; 0 is the ledger's outbox. */
export function readQueues(paths: {
  readonly ledger: string;
  /** The journals' folder. */
  readonly journals: string;
}): Map<number, QueueCounts> {
  const queues = new Map<number, QueueCounts>();
  if (existsSync(paths.ledger)) {
    const ledger = openLedgerCounts(paths.ledger);
    queues.set(0, ledger.outbox());
    ledger.close();
  }
  for (const { number, path } of listJournals(paths.journals)) {
    queues.set(number, readJournalCounts(path));
  }
  return queues;
}
