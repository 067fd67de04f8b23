import { locks } from 'node:worker_threads';

const NAME = 'shipping';

/** Runs the work with the shared lock: concurrently with other threads, but not with exclusive work. */
export function shipTogether<T>(work: () => Promise<T>): Promise<T> {
  return locks.request(NAME, { mode: 'shared' }, work);
}

/** Runs the work with the exclusive lock: no other thread of this process ships. Requests are FIFO. */
export function shipAlone<T>(work: () => Promise<T>): Promise<T> {
  return locks.request(NAME, { mode: 'exclusive' }, work);
}
