import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const SANE = /^[A-Za-z0-9._:-]{1,128}$/;

/** Ids of requests that bring none: this process, and a number. */
const PROCESS = randomUUID().slice(0, 8);
let count = 0;

/** The id that a request brings, or a new one. */
export function newRequestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const own = headers['x-request-id'];
  if (typeof own === 'string' && SANE.test(own)) return own;
  count += 1;
  return `${PROCESS}-${count.toString(36)}`;
}
