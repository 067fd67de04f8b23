import { workerData } from 'node:worker_threads';
import { openTaking } from '#ledger/open-ledger.ts';
import type { InboxOptions } from '#providers/inbox/keep-taking.ts';
import { takeEvents } from '#providers/inbox/take-events.ts';
import { around } from '#storage/crash-points.ts';
import { answerCalls } from '#storage/worker-calls.ts';

/** The thread that takes events from the inbox, a batch at a time. */
const { takeWaiting, close } = await openTaking((workerData as InboxOptions).location, Date.now);

answerCalls({
  take: () => around('provider events', () => takeEvents(takeWaiting)),
  close,
});
