import { locks } from 'node:worker_threads';

const NAME = 'shipping';

/** Does the work beside that of other threads of this process, and never while one of them is alone. */
export function shipTogether<T>(work: () => Promise<T>): Promise<T> {
  return locks.request(NAME, { mode: 'shared' }, work);
}

/** Does the work while no other thread of this process ships. Requests are granted in their order. */
export function shipAlone<T>(work: () => Promise<T>): Promise<T> {
  return locks.request(NAME, { mode: 'exclusive' }, work);
}
