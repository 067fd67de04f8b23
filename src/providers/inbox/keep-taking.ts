import { keepRunning } from '#jobs/keep-running.ts';
import { type CalledThread, startThread } from '#storage/worker-calls.ts';

interface TakesEvents {
  /** Takes new events soon. */
  wake(): void;
  stop(): Promise<void>;
}

/** The options of the thread that takes events: the location of the ledger. */
export type InboxOptions = { readonly location: string };

/** What the thread does. `take` returns the number of events that it took. */
type InboxFunctions = { take(): Promise<number>; close(): Promise<void> };

type TakingOptions = InboxOptions & {
  /** The module of the thread. */
  readonly thread: URL;
  /** Whether any provider is connected. Without, no thread is started. */
  isNeeded(): boolean;
  /** Called when events cannot be taken. They wait. */
  onFailure(reason: string): void;
};

/** Another process may have put events into the inbox. */
const LOOK_EVERY_MS = 1_000;
/** Events that come in a burst are taken together. */
const GATHER_MS = 50;

/**
 * Keeps taking events, in a thread of its own.
 *
 * Why a thread: a batch may take a while, and the web process's main thread has requests to answer.
 */
export function keepTaking({
  location,
  isNeeded,
  onFailure,
  ...options
}: TakingOptions): TakesEvents {
  let thread: CalledThread<InboxFunctions> | undefined;
  const job = keepRunning({
    ...{ name: 'provider events', everyMs: LOOK_EVERY_MS, retryMs: [LOOK_EVERY_MS, 30_000] },
    onChange: (failure) => failure && onFailure(failure.message),
    async run(stopped) {
      if (!isNeeded()) return;
      let taken = Infinity;
      while (taken > 0 && !stopped.aborted) {
        if (!thread?.isAlive()) thread = startThread(options.thread, { location });
        taken = await thread.calls.take();
      }
    },
  });
  return {
    wake: () => job.wake(GATHER_MS),
    async stop() {
      await job.stop();
      if (thread?.isAlive()) await thread.close();
    },
  };
}
