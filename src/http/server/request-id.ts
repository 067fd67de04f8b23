import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const SANE = /^[A-Za-z0-9._:-]{1,128}$/;

/** Answers the id that a request brings, or makes one. */
export type NewRequestId = (request: Pick<IncomingMessage, 'headers'>) => string;

/** Ids of requests that bring none: this process, and a number. */
export function createRequestIds(): NewRequestId {
  const process = randomUUID().slice(0, 8);
  let count = 0;
  return ({ headers }) => {
    const own = headers['x-request-id'];
    if (typeof own === 'string' && SANE.test(own)) return own;
    count += 1;
    return `${process}-${count.toString(36)}`;
  };
}
