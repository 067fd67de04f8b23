import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type AskedServer, toolsOfServer } from './ask-server.ts';
import { createToolServer } from './tool-server.ts';

/**
 * Serves the tools of a running server over stdin and stdout, until stdin ends.
 *
 * - `onTrouble` gets what the client sends that is not the protocol.
 */
export function serveToolsOverStdio(
  server: AskedServer,
  onTrouble: (message: string) => void,
): Promise<void> {
  const offered = toolsOfServer(server);
  serveStdio(() => createToolServer(offered), { onerror: ({ message }) => onTrouble(message) });
  return new Promise((resolve) => process.stdin.once('close', resolve));
}
