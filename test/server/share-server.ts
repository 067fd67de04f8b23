import { keepOpen } from '../run/keep-open.ts';
import { startServer, type TestServer } from './start-server.ts';

/**
 * A server with these settings, shared by the files of one process; it ends after the last of them.
 *
 * A file adds its own sites and leaves everything else unchanged.
 */
export function shareServer(env: Readonly<Record<string, string>> = {}): Promise<TestServer> {
  return keepOpen(`server ${JSON.stringify(env)}`, async () => {
    const server = await startServer({ env });
    return {
      ...server,
      async close() {
        await server.stop();
        server.cleanUp();
      },
    };
  });
}
