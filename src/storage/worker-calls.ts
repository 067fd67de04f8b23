import { once } from 'node:events';
import { MessagePort, parentPort, Worker } from 'node:worker_threads';
import { UnavailableError } from '#domain/unavailable.ts';

/** The functions of another thread, called by messages. What they take and return is copied; ports are handed over. */
export type Remote<Theirs> = {
  readonly [Name in keyof Theirs]: Theirs[Name] extends (...given: infer Given) => infer Answer
    ? (...given: Given) => Promise<Awaited<Answer>>
    : never;
};

type Functions = Readonly<Record<string, (...given: never[]) => unknown>>;
/** Without an id, nobody waits for an answer. */
type Call = { readonly id?: number; readonly name: string; readonly given: readonly unknown[] };
type Answer = { readonly id: number; readonly answer?: unknown; readonly failure?: Failure };
/** An error, of which a copy would lose the codes. */
type Failure = Pick<Error, 'name' | 'message' | 'cause'> & { code?: unknown; errcode?: unknown };

/**
 * Starts a module as a worker thread, which may call `own` functions. `onDeath` is called with the error that ends it.
 * Its `close` resolves when the thread has ended.
 */
export function startThread<Theirs extends { close(): unknown }>(
  module: URL,
  workerData: object,
  { own = {}, onDeath }: { own?: Functions; onDeath?(error: unknown): void } = {},
) {
  const worker = new Worker(module, {
    workerData,
    transferList: portsOf(Object.values(workerData)),
  });
  const { die, ...thread } = callThrough<Theirs>(own, worker);
  worker.on('error', (error) => {
    die(error);
    onDeath?.(error);
  });
  worker.on('exit', () => die(new Error('the worker thread ended')));
  return {
    ...thread,
    async close(): Promise<void> {
      const exited = once(worker, 'exit');
      await thread.calls.close();
      await exited;
    },
  };
}

/**
 * Calls the functions of the thread at the other end of a port, and answers its calls with `own` ones. `calls` rejects with
 * the function's error, or if the thread is dead; `tell` waits for no answer. The call of `close` closes the port. Without a
 * port, the other thread is the parent of this one.
 */
export function callThrough<Theirs>(
  own: Functions,
  port: Worker | MessagePort = parentPort as MessagePort,
) {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  let death: unknown;

  function die(error: unknown): void {
    death ??= error;
    for (const { reject } of waiting.values()) reject(death);
    waiting.clear();
  }
  port.on('close', () => die(new Error('the thread has ended')));
  port.on('message', (message: Call | Answer) => {
    if ('name' in message) return answer(message);
    const { id, answer: found, failure } = message;
    if (failure === undefined) waiting.get(id)?.resolve(found);
    else waiting.get(id)?.reject(fromFailure(failure));
    waiting.delete(id);
  });

  async function answer({ id, name, given }: Call): Promise<void> {
    const answered = { id, ...(await settle(async () => own[name]?.(...(given as never[])))) };
    if (id !== undefined) port.postMessage(answered, portsOf([answered.answer]));
    if (name === 'close' && port instanceof MessagePort) port.close();
  }

  async function call(name: string, given: readonly unknown[]): Promise<unknown> {
    if (death !== undefined) throw death;
    lastId += 1;
    const answered = Promise.withResolvers<unknown>();
    waiting.set(lastId, answered);
    post({ id: lastId, name, given });
    return answered.promise;
  }

  const post = (message: Call) => port.postMessage(message, portsOf(message.given));
  return {
    calls: toFunctions(call) as Remote<Theirs>,
    tell: toFunctions((name, given) => post({ name, given })) as Remote<Theirs>,
    die,
  };
}

function portsOf(values: readonly unknown[]): MessagePort[] {
  return values.filter((each) => each instanceof MessagePort);
}

/** Functions of any name. It is no promise, which would have a `then`. */
function toFunctions(call: (name: string, given: readonly unknown[]) => unknown) {
  const get = (_: object, name: string) =>
    name === 'then' ? undefined : (...given: unknown[]) => call(name, given);
  return new Proxy({}, { get });
}

async function settle(work: () => Promise<unknown>): Promise<Omit<Answer, 'id'>> {
  try {
    return { answer: await work() };
  } catch (error) {
    const { name, message, cause, code, errcode } = error as Failure;
    return { failure: { name, message, cause: cause && String(cause), code, errcode } };
  }
}

function fromFailure({ name, message, cause, ...codes }: Failure): Error {
  if (name === 'UnavailableError') return new UnavailableError(message, cause);
  return Object.assign(new Error(message), { name, ...codes });
}
