import { workerData } from 'node:worker_threads';
import { around } from '#storage/crash-points.ts';
import { answerCalls } from '#storage/worker-calls.ts';
import { createCommitEntries } from './commit-entries.ts';
import { type LedgerCall, packOutcomes, unpackGroup } from './group-messages.ts';
import { openDatabase } from './open-database.ts';

/**
 * Where the ledger of the thread lies that commits to it: groups of entries in, outcomes out, one
 * group at a time.
 *
 * Why a thread of its own: an fsync blocks, and the web process's thread has requests to answer.
 */
export type LedgerWorkerOptions = { readonly path: string };

const db = openDatabase((workerData as LedgerWorkerOptions).path, { checkpoints: true });
const commitEntries = createCommitEntries(db);

answerCalls<LedgerCall>((call) => {
  if (call.kind === 'close') return db.close();
  return packOutcomes(around('ledger commit', () => commitEntries(unpackGroup(call.group))));
});
