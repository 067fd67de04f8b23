import { once } from 'node:events';
import { MessagePort, parentPort, Worker } from 'node:worker_threads';
import { UnavailableError } from '#domain/unavailable.ts';

/** The functions of another thread, called by messages. What they take and return is copied; ports are handed over. */
export type Remote<Functions> = {
  readonly [Name in keyof Functions]: Functions[Name] extends (
    ...given: infer Given
  ) => infer Answer
    ? (...given: Given) => Promise<Awaited<Answer>>
    : never;
};

/** A worker thread that answers calls; see {@link answerCalls}. */
export interface CalledThread<Functions> {
  /** Each rejects with the function's error, or if the thread is dead. */
  readonly calls: Remote<Functions>;
  isAlive(): boolean;
  /** Calls `close`. Resolves when the thread has ended. */
  close(): Promise<void>;
}

type Call = { readonly id: number; readonly name: string; readonly given: readonly unknown[] };
type Answer = { readonly id: number; readonly answer?: unknown; readonly failure?: Failure };
/** An error, of which a copy would lose the codes. */
type Failure = Pick<Error, 'name' | 'message'> & {
  readonly code?: unknown;
  readonly errcode?: unknown;
};

/** Starts a module as a worker thread. `on` receives the thread's notes and the error that ends it. */
export function startThread<Functions extends { close(): unknown }, Note = never>(
  module: URL,
  workerData: object,
  on: { note?(note: Note): void; death?(error: unknown): void } = {},
): CalledThread<Functions> {
  const ports = Object.values(workerData).filter((each) => each instanceof MessagePort);
  const worker = new Worker(module, { workerData, transferList: ports });
  const { calls, isAlive, die } = callThrough<Functions>(worker, on.note);
  worker.on('error', (error) => {
    die(error);
    on.death?.(error);
  });
  worker.on('exit', () => die(new Error('the worker thread ended')));
  return {
    ...{ calls, isAlive },
    async close() {
      const exited = once(worker, 'exit');
      await calls.close();
      await exited;
    },
  };
}

/** Calls the functions that another thread answers at the other end of a port. */
export function callThrough<Functions>(port: Worker | MessagePort, hear = (_note: never) => {}) {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  let death: unknown;

  function die(error: unknown): void {
    death ??= error;
    for (const { reject } of waiting.values()) reject(death);
    waiting.clear();
  }
  port.on('message', (message: Answer | { readonly note: never }) => {
    if ('note' in message) return hear(message.note);
    const { id, answer, failure } = message;
    if (failure === undefined) waiting.get(id)?.resolve(answer);
    else waiting.get(id)?.reject(fromFailure(failure));
    waiting.delete(id);
  });

  async function call(name: string, given: readonly unknown[]): Promise<unknown> {
    if (death !== undefined) throw death;
    lastId += 1;
    const answer = Promise.withResolvers<unknown>();
    waiting.set(lastId, answer);
    const ports = given.filter((each) => each instanceof MessagePort);
    port.postMessage({ id: lastId, name, given } satisfies Call, ports);
    return answer.promise;
  }
  const get =
    (_: object, name: string) =>
    (...given: unknown[]) =>
      call(name, given);
  const calls = new Proxy({}, { get }) as Remote<Functions>;
  return { calls, isAlive: () => death === undefined, die };
}

/**
 * Answers calls from the parent thread, or through a port, with the results or errors of these functions, until `close` is
 * called. Returns a function that sends notes to the caller.
 */
export function answerCalls<Note = never>(
  functions: Readonly<Record<string, (...given: never[]) => unknown>>,
  port = parentPort as MessagePort,
): (note: Note) => void {
  port.on('message', async ({ id, name, given }: Call) => {
    try {
      port.postMessage({ id, answer: await functions[name]?.(...(given as never[])) });
    } catch (error) {
      port.postMessage({ id, failure: toFailure(error as Failure) });
    }
    if (name === 'close') port.close();
  });
  return (note) => port.postMessage({ note });
}

const toFailure = ({ name, message, code, errcode }: Failure) => ({ name, message, code, errcode });

function fromFailure({ name, message, ...codes }: Failure): Error {
  if (name === 'UnavailableError') return new UnavailableError(message);
  return Object.assign(new Error(message), { name, ...codes });
}
