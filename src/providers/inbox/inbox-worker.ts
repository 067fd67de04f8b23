import { workerData } from 'node:worker_threads';
import { openDatabase } from '#ledger/schema/open-database.ts';
import { around } from '#storage/crash-points.ts';
import { answerCalls } from '#storage/worker-calls.ts';
import { takeEvents } from './take-events.ts';

/**
 * Options of the worker thread that takes events from the inbox, a batch at a time.
 *
 * Why a thread: a batch may take a while, and the web process's main thread has requests to answer.
 */
export type InboxWorkerOptions = { readonly location: string };

const { location } = workerData as InboxWorkerOptions;
const db = await openDatabase(location, { checkpoints: false });

/** What the thread does. `take` returns the number of events that it took. */
const FUNCTIONS = {
  take: () => around('provider events', () => takeEvents(db, Date.now)),
  close: () => db.close(),
};
/** The functions of the thread. */
export type InboxFunctions = typeof FUNCTIONS;

answerCalls(FUNCTIONS);
