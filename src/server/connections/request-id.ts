import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const SANE = /^[A-Za-z0-9._:-]{1,128}$/;

/** Generated ids consist of the process and a number. */
const PROCESS = randomUUID().slice(0, 8);
let count = 0;

/** The request's own id, or a new one. */
export function newRequestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const own = headers['x-request-id'];
  if (typeof own === 'string' && SANE.test(own)) return own;
  count += 1;
  return `${PROCESS}-${count.toString(36)}`;
}
