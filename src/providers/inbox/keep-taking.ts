import { keepRunning } from '#jobs/keep-running.ts';
import { type CalledThread, startThread } from '#storage/worker-calls.ts';
import type { InboxFunctions, InboxWorkerOptions } from './inbox-worker.ts';

/** What takes events from the inbox as they come. */
export interface TakesEvents {
  /** Takes new events soon. */
  wake(): void;
  stop(): Promise<void>;
}

/** The options of {@link keepTaking}. */
export type TakingOptions = InboxWorkerOptions & {
  /** Whether any provider is connected. Without, no thread is started. */
  isNeeded(): boolean;
  /** Called when events cannot be taken. They wait. */
  onFailure(reason: string): void;
};

/** Another process may have put events into the inbox. */
const LOOK_EVERY_MS = 1_000;
/** Events that come in a burst are taken together. */
const GATHER_MS = 50;

/** Keeps taking events, in a thread of its own. */
export function keepTaking({ location, isNeeded, onFailure }: TakingOptions): TakesEvents {
  let thread: CalledThread<InboxFunctions> | undefined;
  const job = keepRunning({
    ...{ name: 'provider events', everyMs: LOOK_EVERY_MS, retryMs: [LOOK_EVERY_MS, 30_000] },
    onChange: (failure) => failure && onFailure(failure.message),
    async run(stopped) {
      if (!isNeeded()) return;
      let taken = Infinity;
      while (taken > 0 && !stopped.aborted) {
        if (!thread?.isAlive()) thread = startThread(WORKER, { location });
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

const WORKER = new URL('./inbox-worker.ts', import.meta.url);
