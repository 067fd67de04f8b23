import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What goes wrong with a request: it does not arrive, or its answer does not. */
export type Fault = 'unavailable' | 'no answer';

/** A way to a server on which the next requests go wrong, one fault after the other. */
export interface FaultyWay {
  readonly url: string;
  readonly faults: Fault[];
  /** The `Idempotency-Key` of every request, in order. */
  readonly keys: string[];
  close(): void;
}

/** Opens a way to a server for calls of a backend. */
export async function openFaultyWay(to: string, faults: Fault[]): Promise<FaultyWay> {
  const keys: string[] = [];
  const server: Server = createServer(async (request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    keys.push(String(headers['idempotency-key']));
    const fault = faults.shift();
    const body = new Uint8Array(await buffer(request));
    if (fault === 'unavailable') return response.writeHead(503, { 'retry-after': '0' }).end();
    const { authorization = '', 'idempotency-key': key } = headers;
    const sent = { authorization, ...(key !== undefined && { 'idempotency-key': String(key) }) };
    const answer = await fetch(new URL(url, to), {
      ...{ method, body },
      headers: { ...sent, 'content-type': 'application/json' },
    });
    if (fault === 'no answer') return request.socket.destroy();
    return response.writeHead(answer.status).end(await answer.text());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, faults, keys, close };
}
