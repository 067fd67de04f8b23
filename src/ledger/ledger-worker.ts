import { parentPort, workerData } from 'node:worker_threads';
import { createCommitEntries, type LedgerEntry, type LedgerOutcome } from './commit-entries.ts';
import { openDatabase } from './open-database.ts';

/**
 * The thread that commits to the ledger: groups of entries in, their outcomes out, one group at a
 * time.
 *
 * Why a thread of its own: an fsync blocks, and the web process's thread has requests to answer.
 */
export type LedgerWorkerOptions = { readonly path: string };

export type ToLedgerWorker =
  | { readonly kind: 'commit'; readonly entries: readonly LedgerEntry[] }
  | { readonly kind: 'close' };

export type FromLedgerWorker =
  | { readonly kind: 'committed'; readonly outcomes: readonly LedgerOutcome[] }
  | { readonly kind: 'commit_failed'; readonly message: string };

const port = parentPort;
if (port === null) throw new Error('ledger-worker.ts runs as a worker thread');

const db = openDatabase((workerData as LedgerWorkerOptions).path, { checkpoints: true });
const commitEntries = createCommitEntries(db);

port.on('message', (message: ToLedgerWorker) => {
  switch (message.kind) {
    case 'commit':
      return port.postMessage(commit(message.entries));
    case 'close':
      db.close();
      port.close();
  }
});

function commit(entries: readonly LedgerEntry[]): FromLedgerWorker {
  try {
    return { kind: 'committed', outcomes: commitEntries(entries) };
  } catch (error) {
    return { kind: 'commit_failed', message: String(error) };
  }
}
