import { setImmediate as nextTurn } from 'node:timers/promises';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { type AskedServer, toolsOfServer } from './ask-server.ts';
import { createToolServer } from './tool-server.ts';

/**
 * Serves the tools of a running server over stdin and stdout, until stdin ends and everything is answered.
 *
 * - `onTrouble` gets what the client sends that is not the protocol.
 */
export function serveToolsOverStdio(
  server: AskedServer,
  onTrouble: (message: string) => void,
): Promise<void> {
  const { asked, ...offered } = toolsOfServer(server);
  const transport = new StdioServerTransport();
  const close = transport.close.bind(transport);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  // When stdin ends, the transport would close at once, and drop what is not answered yet.
  transport.close = async () => {
    do await nextTurn();
    while ((await Promise.allSettled(asked)).length > 0);
    await close().finally(end);
  };
  const onerror = ({ message }: Error) => onTrouble(message);
  serveStdio(() => createToolServer(offered), { transport, onerror });
  return ended;
}
