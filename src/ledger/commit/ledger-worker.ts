import { workerData } from 'node:worker_threads';
import { around } from '#storage/crash-points.ts';
import { answerCalls } from '#storage/worker-calls.ts';
import { openDatabase } from '../schema/open-database.ts';
import { createCommitEntries } from './commit-entries.ts';
import { type LedgerCalls, packOutcomes, unpackGroup } from './group-messages.ts';

/**
 * Options of the worker thread that commits to the ledger, one group of entries at a time.
 *
 * Why a thread: an fsync blocks, and the web process's main thread has requests to answer.
 */
export type LedgerWorkerOptions = { readonly location: string };

const { location } = workerData as LedgerWorkerOptions;
const db = await openDatabase(location, { checkpoints: true });
const commitEntries = createCommitEntries(db);

answerCalls({
  commit: async (group) =>
    packOutcomes(await around('ledger commit', () => commitEntries(unpackGroup(group)))),
  close: () => db.close(),
} satisfies LedgerCalls);
