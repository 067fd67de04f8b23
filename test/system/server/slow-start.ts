import http from 'node:http';

/**
 * Loaded into the server by a test (`NODE_OPTIONS=--import`), never by the server itself: whatever its
 * threads do while the HTTP server is being made is done before it is made.
 */
const START_MS = 1_500;

const { createServer } = http;
http.createServer = ((...options: Parameters<typeof createServer>) => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, START_MS);
  return createServer(...options);
}) as typeof createServer;
