import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';

/** Whoever asks, and the host that is asked. */
export type RequestSender = { readonly ip: string; readonly host: string };

/** Finds both, as proxies that are trusted tell them; the routes' framework does it by the same rules. */
export function createFindSender(
  trustedProxies: readonly string[],
): (request: IncomingMessage) => RequestSender {
  if (trustedProxies.length === 0) {
    return ({ socket, headers }) => ({ ip: socket.remoteAddress ?? '', host: headers.host ?? '' });
  }
  const isTrusted = proxyAddr.compile([...trustedProxies]);
  return (request) => {
    const { socket, headers } = request;
    const told = headers['x-forwarded-host'];
    const isTold =
      typeof told === 'string' && told !== '' && isTrusted(socket.remoteAddress ?? '', 0);
    const host = isTold ? told.slice(told.lastIndexOf(',') + 1).trim() : headers.host;
    return {
      ip: proxyAddr.all(request, isTrusted).at(-1) ?? '',
      host: host ?? '',
    };
  };
}
