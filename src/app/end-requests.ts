import type { Server } from '#http/server/server-type.ts';

/** Closes the server. Requests that take longer than `maxMs` are cut off, and so not acknowledged. */
export async function endRequests(server: Server, maxMs: number): Promise<void> {
  const patience = setTimeout(() => server.server.closeAllConnections(), maxMs);
  await server.close();
  clearTimeout(patience);
}
