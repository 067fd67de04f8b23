import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';

type RequestSender = { readonly ip: string; readonly host: string };

/** Finds sender and host, as reported by trusted proxies. Follows the framework's rules. */
export function createFindSender(
  trustedProxies: readonly string[],
): (request: IncomingMessage) => RequestSender {
  if (trustedProxies.length === 0) {
    return ({ socket, headers }) => ({ ip: socket.remoteAddress ?? '', host: headers.host ?? '' });
  }
  const isTrusted = proxyAddr.compile([...trustedProxies]);
  return (request) => {
    const { socket, headers } = request;
    const forwarded = headers['x-forwarded-host'];
    const isForwarded =
      typeof forwarded === 'string' && forwarded !== '' && isTrusted(socket.remoteAddress ?? '', 0);
    const host = isForwarded
      ? forwarded.slice(forwarded.lastIndexOf(',') + 1).trim()
      : headers.host;
    return { ip: proxyAddr.all(request, isTrusted).at(-1) ?? '', host: host ?? '' };
  };
}
