import { Server } from 'node:http';

/**
 * Loaded into the server by a test (`NODE_OPTIONS=--import`), never by the server itself: connections time out after
 * two idle seconds, not a minute.
 */
const setServerTimeout = Server.prototype.setTimeout as (ms: number) => Server;
Server.prototype.setTimeout = function setShortTimeout(this: Server, ms: unknown) {
  return setServerTimeout.call(this, Number(ms) / 30);
};
