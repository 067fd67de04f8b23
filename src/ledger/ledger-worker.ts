import { parentPort, workerData } from 'node:worker_threads';
import { around } from '#storage/crash-points.ts';
import { createCommitEntries } from './commit-entries.ts';
import {
  type GroupMessage,
  type OutcomesMessage,
  packOutcomes,
  unpackGroup,
} from './group-messages.ts';
import { openDatabase } from './open-database.ts';

/**
 * Where the ledger of the thread lies that commits to it: groups of entries in, outcomes out, one
 * group at a time.
 *
 * Why a thread of its own: an fsync blocks, and the web process's thread has requests to answer.
 */
export type LedgerWorkerOptions = { readonly path: string };

/** What the thread is asked. */
export type ToLedgerWorker =
  | { readonly kind: 'commit'; readonly group: GroupMessage }
  | { readonly kind: 'close' };

/** What it answers, once for each commit. */
export type FromLedgerWorker =
  | { readonly kind: 'committed'; readonly outcomes: OutcomesMessage }
  | { readonly kind: 'commit_failed'; readonly message: string };

const port = parentPort;
if (port === null) throw new Error('ledger-worker.ts runs as a worker thread');

const db = openDatabase((workerData as LedgerWorkerOptions).path, { checkpoints: true });
const commitEntries = createCommitEntries(db);

port.on('message', (message: ToLedgerWorker) => {
  switch (message.kind) {
    case 'commit':
      return port.postMessage(commit(message.group));
    case 'close':
      db.close();
      port.close();
  }
});

function commit(group: GroupMessage): FromLedgerWorker {
  try {
    const outcomes = around('ledger commit', () => commitEntries(unpackGroup(group)));
    return { kind: 'committed', outcomes: packOutcomes(outcomes) };
  } catch (error) {
    return { kind: 'commit_failed', message: String(error) };
  }
}
