import proxyAddr from '@fastify/proxy-addr';
import type { FastifyRequest } from 'fastify';
import type { TriedFrom } from '#accounts/sign-in-limit.ts';
import { toNetwork } from './to-network.ts';

/** Addresses of this machine and its neighbours, where proxies are. */
const isNear = proxyAddr.compile(['loopback', 'linklocal', 'uniquelocal']);

/**
 * Where somebody who may be guessing comes from. A proxy that is not trusted must not make all who come through it one.
 *
 * - What a near one says of them is believed, only here. From elsewhere, a guesser would seem to be many.
 */
export function findOrigin({
  ip,
  headers,
  socket,
}: Pick<FastifyRequest, 'ip' | 'headers' | 'socket'>): TriedFrom {
  const network = toNetwork(ip);
  const said = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .at(-1)
    ?.trim();
  if (ip !== socket.remoteAddress) return { network, isShared: false }; // A trusted proxy told it.
  if (!isNear(ip, 0)) return { network, isShared: Boolean(said) };
  return { network: said ? `${toNetwork(said)} by ${network}` : network, isShared: !said };
}
