import { once } from 'node:events';
import { type MessagePort, parentPort, Worker } from 'node:worker_threads';

/** A worker thread that answers calls; see {@link answerCalls}. */
export interface CalledThread<Call> {
  isAlive(): boolean;
  /** What the thread returns for the call. Rejects with what it threw, or when it is dead. */
  call(call: Call): Promise<unknown>;
  /** Resolves when the thread has answered a call of kind `close`, and has ended. */
  close(): Promise<void>;
}

/** What a thread is called with. After one of kind `close` it ends. */
type AnyCall = { readonly kind: string };

type Close = { readonly kind: 'close' };
type ToThread<Call> = { readonly id: number; readonly call: Call };
type FromThread<Note> =
  | { readonly id: number; readonly answer?: unknown; readonly failure?: unknown }
  | { readonly note: Note };

/** Starts the module as a worker thread that is called from here; `on` hears of its notes and its end by an error. */
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
 * Answers the calls of the thread that started this one: with what `answer` returns, or with the error
 * that it throws. Returns a function that sends notes there.
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
