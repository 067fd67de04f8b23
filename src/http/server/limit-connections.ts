import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import { RefusedRequest } from '../answers/errors.ts';
import { toNetwork } from '../requests/to-network.ts';
import { toAnswerBytes } from './broken-requests.ts';

/** How long refused clients may take to read why, and how many may do so at once. */
const READING_MAX_MS = 1_000;
const READING_MAX = 256;
const TOO_MANY = 'Too many connections are open. Try again.';
const TOO_MANY_OF_ONE =
  'Too many connections are open from this address. If a proxy forwards to here, TRUSTED_PROXIES must name it.';
const RETRY_AFTER = { 'retry-after': '1' };

/** An address may hold a tenth of all connections, and so many where that is less. */
const SHARE_OF_ONE = 10;
const MAX_OF_ONE_MIN = 100;
const GREEDY_AGAIN_MS = 60_000;

/** How many connections may be open, and whose share of them is not limited. */
export type ConnectionLimits = {
  readonly max: number;
  readonly trustedProxies: readonly string[];
  /** Called when an address has all that it may, once for many in a row. */
  onGreedy(reason: string): void;
};

/**
 * Lets no more than so many connections be open, and of them a tenth from one address (of IPv6, a /64) that is no trusted
 * proxy; one more is answered 503 and closed.
 *
 * - Why not `maxConnections` of Node: it closes without a word.
 */
export function limitConnections(server: Server, limits: ConnectionLimits): void {
  const { max, trustedProxies, onGreedy } = limits;
  const maxOfOne = Math.max(MAX_OF_ONE_MIN, Math.floor(max / SHARE_OF_ONE));
  const isTrusted = proxyAddr.compile([...trustedProxies]);
  const open = new Set<Socket>();
  const openByNetwork = new Map<string, number>();
  const refuse = createRefuse();
  let greedyAt = Number.NEGATIVE_INFINITY;
  const listeners = server.listeners('connection') as ((socket: Socket) => void)[];

  function refuseGreedy(socket: Socket): void {
    const at = performance.now();
    if (at - greedyAt > GREEDY_AGAIN_MS) onGreedy(TOO_MANY_OF_ONE);
    greedyAt = at;
    refuse(socket, TOO_MANY_OF_ONE);
  }

  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const { remoteAddress: address = '' } = socket;
    const network = toNetwork(address);
    const openOfOne = openByNetwork.get(network) ?? 0;
    if (open.size >= max) return refuse(socket, TOO_MANY);
    if (openOfOne >= maxOfOne && !isTrusted(address, 0)) return refuseGreedy(socket);
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

/** What answers a connection why it is refused, and closes it. */
function createRefuse(): (socket: Socket, why: string) => void {
  let reading = 0;
  return (socket, why) => {
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
    socket.resume(); // What is sent and never read would break the connection before the answer is.
    socket.end(toAnswerBytes(new RefusedRequest('unavailable', why, { headers: RETRY_AFTER })));
  };
}
