import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { UnavailableError } from '#domain/unavailable.ts';
import type { FromThread, ToThread } from './journal-messages.ts';
import type { JournalThreadOptions } from './journal-thread.ts';

/** Where the thread's module lies, and who hears of what. */
export type ThreadListeners = {
  /** The thread's module, which calls `runJournalThread`. */
  readonly thread: URL;
  /** Called for each failed shipment, with the shipper's own words. */
  onShipFailure(message: string): void;
  /** Hears of damage, and of batches that are set aside. */
  onTrouble(message: string): void;
  /** The thread died: nothing can be accepted any more. */
  onDeath(error: unknown): void;
};

type Asked = Extract<ToThread, { id: number }>;
type WithoutId<M> = M extends unknown ? Omit<M, 'id'> : never;

/** The journal's thread as the web process talks to it. */
export interface JournalThread {
  /** The last number that any batch ever had. */
  readonly lastSeq: number;
  /** As the thread said last. */
  backlog(): { readonly sizeBytes: number; readonly setAside: number };
  /** Resolves with what went wrong, if anything did. Throws UnavailableError once the thread has died. */
  ask(message: WithoutId<Asked>): Promise<string | undefined>;
  send(message: Exclude<ToThread, Asked>): void;
  close(): Promise<void>;
}

/** Starts the thread; resolves when it can take events. Throws what keeps it from that. */
export async function startJournalThread(
  workerData: JournalThreadOptions,
  { thread, onShipFailure, onTrouble, onDeath }: ThreadListeners,
): Promise<JournalThread> {
  const worker = new Worker(thread, { workerData });
  const opened = Promise.withResolvers<number>();
  const asked = new Map<number, PromiseWithResolvers<string | undefined>>();
  let backlog = { sizeBytes: 0, setAside: 0 };
  let lastId = 0;
  let dead: UnavailableError | undefined;
  let isOpen = false;

  function die(error: unknown): void {
    dead = new UnavailableError('The journal has stopped.', error);
    opened.reject(error);
    for (const { reject } of asked.values()) reject(dead);
    asked.clear();
  }
  worker.on('error', (error) => {
    die(error);
    if (isOpen) onDeath(error);
  });
  worker.on('exit', () => die(new Error('the worker thread ended')));
  worker.on('message', (message: FromThread) => {
    switch (message.kind) {
      case 'open':
        return opened.resolve(message.lastSeq);
      case 'backlog':
        backlog = message;
        return;
      case 'trouble':
        return onTrouble(message.message);
      case 'ship_failed':
        return onShipFailure(message.message);
      case 'answer':
        asked.get(message.id)?.resolve(message.failure);
        asked.delete(message.id);
    }
  });

  async function ask(message: WithoutId<Asked>): Promise<string | undefined> {
    if (dead !== undefined) throw dead;
    lastId += 1;
    const answer = Promise.withResolvers<string | undefined>();
    asked.set(lastId, answer);
    worker.postMessage({ ...message, id: lastId });
    return answer.promise;
  }

  const lastSeq = await opened.promise;
  isOpen = true;
  return {
    lastSeq,
    backlog: () => backlog,
    ask,
    send: (message) => worker.postMessage(message),
    async close() {
      const exited = once(worker, 'exit');
      await ask({ kind: 'close' });
      await exited;
    },
  };
}
