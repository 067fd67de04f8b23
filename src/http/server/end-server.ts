import type { Server } from './server-type.ts';

/**
 * Ends a server in order: no new connection, and requests under way answered, for at most that
 * long. Whoever is slower than that has no answer, and so nothing acknowledged.
 */
export async function endServer(server: Server, maxMs: number): Promise<void> {
  const patience = setTimeout(() => server.server.closeAllConnections(), maxMs);
  await server.close();
  clearTimeout(patience);
}
