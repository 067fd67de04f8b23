import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import type { FastifyBaseLogger } from 'fastify';
import { UnavailableError } from '#domain/unavailable.ts';
import { logAndRefuse } from '../errors/errors.ts';
import { toAnswerBytes } from './broken-requests.ts';
import { toNetwork } from './to-network.ts';

/** How long refused clients may take to read the response, and how many at once. */
const READING_MAX_MS = 1_000;
const READING_MAX = 256;
const TOO_MANY_OF_ONE =
  'Too many connections are open from this address. If it is a proxy, add it to TRUSTED_PROXIES.';

/** An address may hold a tenth of all connections, but at least this many. */
const SHARE_OF_ONE = 10;
const MAX_OF_ONE_MIN = 100;
const OF_NO_REQUEST = { isRead: false, requestId: undefined, route: undefined };

type Log = Pick<FastifyBaseLogger, 'error' | 'warn'>;

/**
 * Limits the number of open connections, in total and by address (for IPv6, by /64) unless the address
 * is a trusted proxy. Further connections are answered 503 and closed.
 *
 * - Why not Node's `maxConnections`: it closes connections without a response.
 */
export function limitConnections(
  server: Server,
  { connectionsMax, trustedProxies }: { connectionsMax: number; trustedProxies: readonly string[] },
  log: Log,
): void {
  const maxOfOne = Math.max(MAX_OF_ONE_MIN, Math.floor(connectionsMax / SHARE_OF_ONE));
  const isTrusted = proxyAddr.compile([...trustedProxies]);
  const open = new Set<Socket>();
  const openByNetwork = new Map<string, number>();
  const refuse = createRefuse(log);
  const listeners = server.listeners('connection') as ((socket: Socket) => void)[];

  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const { remoteAddress: address = '' } = socket;
    const network = toNetwork(address);
    const openOfOne = openByNetwork.get(network) ?? 0;
    if (open.size >= connectionsMax) return refuse(socket, 'Too many connections are open.');
    if (openOfOne >= maxOfOne && !isTrusted(address, 0)) {
      return refuse(socket, TOO_MANY_OF_ONE);
    }
    open.add(socket);
    openByNetwork.set(network, openOfOne + 1);
    socket.on('close', () => {
      open.delete(socket);
      const left = (openByNetwork.get(network) ?? 0) - 1;
      if (left > 0) openByNetwork.set(network, left);
      else openByNetwork.delete(network);
    });
    for (const listener of listeners) listener.call(server, socket);
  });
}

/** Returns a function that answers a connection with the reason for its refusal, and closes it. */
function createRefuse(log: Log): (socket: Socket, why: string) => void {
  let reading = 0;
  return (socket, why) => {
    const refused = logAndRefuse(new UnavailableError(why), OF_NO_REQUEST, log);
    socket.on('error', () => {});
    if (reading >= READING_MAX) {
      socket.destroy();
      return;
    }
    reading += 1;
    const patience = setTimeout(() => socket.destroy(), READING_MAX_MS);
    socket.on('close', () => {
      clearTimeout(patience);
      reading -= 1;
    });
    socket.resume(); // Unread input would reset the connection before the response is read.
    socket.end(toAnswerBytes(refused));
  };
}
