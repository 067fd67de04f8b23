import proxyAddr from '@fastify/proxy-addr';
import type { FastifyRequest } from 'fastify';
import type { TriedFrom } from '#domain/account/sign-in-try.ts';
import { toNetwork } from '#server/connections/to-network.ts';

/** Addresses of this machine and its neighbours, where proxies are. */
const isNear = proxyAddr.compile(['loopback', 'linklocal', 'uniquelocal']);

/**
 * Where somebody who may be guessing comes from. A proxy that is not trusted must not make all who come through it one.
 *
 * - What a near one says of them tells them apart, only here, but proves nothing: some pass on what the sender says.
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
  const isProved = ip !== socket.remoteAddress || !(said || isNear(ip, 0)); // A trusted proxy told it, or it came alone.
  if (isProved) return { network, isShared: false, isUnproved: false };
  if (!said || !isNear(ip, 0)) return { network, isShared: true, isUnproved: true };
  return { network: `${toNetwork(said)} by ${network}`, isShared: false, isUnproved: true };
}
