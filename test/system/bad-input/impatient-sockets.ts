import { Server } from 'node:http';

/**
 * Loaded into the server by a test (`NODE_OPTIONS=--import`), never by the server itself: a minute
 * without a sign of a connection is two seconds.
 */
const setServerTimeout = Server.prototype.setTimeout as (ms: number) => Server;
Server.prototype.setTimeout = function setShortTimeout(this: Server, ms: unknown) {
  return setServerTimeout.call(this, Number(ms) / 30);
};
