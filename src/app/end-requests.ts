import type { Server } from '#http/server/server-type.ts';

/** What is slower than that has no answer, and so nothing acknowledged. */
export async function endRequests(server: Server, maxMs: number): Promise<void> {
  const patience = setTimeout(() => server.server.closeAllConnections(), maxMs);
  await server.close();
  clearTimeout(patience);
}
