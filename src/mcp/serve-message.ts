import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { createToolServer, type OfferedTools } from './tool-server.ts';

/** One message over HTTP, with a parsed body. */
type SentMessage = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly signal: AbortSignal;
  readonly offered: OfferedTools;
};

/**
 * Answers one message of the protocol, without a session: as JSON, by a server that lives for one request.
 *
 * Why clients of the protocol before 2026 go another way: the SDK would answer those with a stream of one event.
 */
export async function serveMessage({
  headers,
  body,
  signal,
  offered,
}: SentMessage): Promise<Response> {
  const request = new Request('http://localhost/mcp', { method: 'POST', headers, signal });
  const create = () => createToolServer(offered);
  if (await isLegacyRequest(request, body)) return serveLegacy(create(), request, body);
  const handler = createMcpHandler(create, { legacy: 'reject', maxSubscriptions: 1 });
  return handler.fetch(request, { parsedBody: body });
}

async function serveLegacy(server: Server, request: Request, body: unknown): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: body });
  } finally {
    await server.close();
  }
}
