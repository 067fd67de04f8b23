import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { RefusedRequest } from './errors.ts';

const WINDOW_MS = 1_000;

/**
 * Lets each key, and each address without one, write so many requests a second, on the routes added
 * after it; 0 for no limit.
 *
 * - Shape: seconds are counted one by one, each from nothing; whoever is refused counts too.
 */
export function limitWrites(server: FastifyInstance, maxPerSecond: number): void {
  if (maxPerSecond === 0) return;
  const limit = createLimit(maxPerSecond);
  server.addHook('onRoute', (route) => {
    if (route.method !== 'POST' || route.config?.isRead === true) return;
    route.onRequest = [...[route.onRequest ?? []].flat(), limit]; // Behind the one that finds the key.
  });
}

function createLimit(maxPerSecond: number): onRequestHookHandler {
  let counts = new Map<string, number>();
  let endsAt = 0;

  return (request, reply, done) => {
    const at = performance.now();
    if (at >= endsAt) {
      counts = new Map();
      endsAt = at + WINDOW_MS;
    }
    const caller = request.apiKey?.id ?? request.ip;
    const count = (counts.get(caller) ?? 0) + 1;
    counts.set(caller, count);
    reply.header('ratelimit-limit', maxPerSecond);
    reply.header('ratelimit-remaining', Math.max(0, maxPerSecond - count));
    reply.header('ratelimit-reset', 1);
    if (count > maxPerSecond) {
      const whose = request.apiKey === null ? 'An address' : 'A key';
      throw new RefusedRequest(
        'rate_limited',
        `${whose} may write ${maxPerSecond} times a second.`,
        {
          headers: { 'retry-after': '1' },
        },
      );
    }
    done();
  };
}
