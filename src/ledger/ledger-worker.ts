import { workerData } from 'node:worker_threads';
import { around } from '#storage/crash-points.ts';
import { answerCalls } from '#storage/worker-calls.ts';
import { createCommitEntries } from './commit-entries.ts';
import { type LedgerCall, packOutcomes, unpackGroup } from './group-messages.ts';
import { openDatabase } from './open-database.ts';

/**
 * Options of the worker thread that commits to the ledger, one group of entries at a time.
 *
 * Why a thread: an fsync blocks, and the web process's main thread has requests to answer.
 */
export type LedgerWorkerOptions = { readonly path: string };

const db = openDatabase((workerData as LedgerWorkerOptions).path, { checkpoints: true });
const commitEntries = createCommitEntries(db);

answerCalls<LedgerCall>((call) => {
  if (call.kind === 'close') return db.close();
  return packOutcomes(around('ledger commit', () => commitEntries(unpackGroup(call.group))));
});
