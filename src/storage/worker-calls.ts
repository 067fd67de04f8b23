import { once } from 'node:events';
import { type MessagePort, parentPort, Worker } from 'node:worker_threads';

/** A worker thread that answers calls; see {@link answerCalls}. */
export interface CalledThread<Call> {
  isAlive(): boolean;
  /** Resolves with the thread's result. Rejects with its error, or if the thread is dead. */
  call(call: Call): Promise<unknown>;
  /** Sends a call of kind `close`. Resolves when the thread has ended. */
  close(): Promise<void>;
}

/** A call to a thread. The kind `close` ends the thread. */
type AnyCall = { readonly kind: string };

type Close = { readonly kind: 'close' };
type ToThread<Call> = { readonly id: number; readonly call: Call };
type FromThread<Note> =
  | { readonly id: number; readonly answer?: unknown; readonly failure?: unknown }
  | { readonly note: Note };

/** Starts a module as a worker thread. `on` receives the thread's notes and the error that ends it. */
export function startThread<Call extends AnyCall, Note = never>(
  module: URL,
  workerData: unknown,
  on: { note?(note: Note): void; death?(error: unknown): void } = {},
): CalledThread<Call | Close> {
  const worker = new Worker(module, { workerData });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  let death: unknown;

  function die(error: unknown): void {
    death ??= error;
    for (const { reject } of waiting.values()) reject(death);
    waiting.clear();
  }
  worker.on('error', (error) => {
    die(error);
    on.death?.(error);
  });
  worker.on('exit', () => die(new Error('the worker thread ended')));
  worker.on('message', (message: FromThread<Note>) => {
    if ('note' in message) return on.note?.(message.note);
    const { id, answer, failure } = message;
    if (failure === undefined) waiting.get(id)?.resolve(answer);
    else waiting.get(id)?.reject(new Error(String(failure)));
    waiting.delete(id);
  });

  async function call(called: Call | Close): Promise<unknown> {
    if (death !== undefined) throw death;
    lastId += 1;
    const answer = Promise.withResolvers<unknown>();
    waiting.set(lastId, answer);
    worker.postMessage({ id: lastId, call: called });
    return answer.promise;
  }

  return {
    isAlive: () => death === undefined,
    call,
    async close() {
      const exited = once(worker, 'exit');
      await call({ kind: 'close' });
      await exited;
    },
  };
}

/**
 * Answers calls from the parent thread with the result or the error of `answer`. Returns a function that sends
 * notes to the parent.
 */
export function answerCalls<Call extends AnyCall, Note = never>(
  answer: (call: Call | Close) => unknown,
): (note: Note) => void {
  const port = parentPort as MessagePort;
  port.on('message', async ({ id, call }: ToThread<Call>) => {
    try {
      port.postMessage({ id, answer: await answer(call) });
    } catch (error) {
      port.postMessage({ id, failure: String(error) });
    }
    if (call.kind === 'close') port.close();
  });
  return (note) => port.postMessage({ note });
}
