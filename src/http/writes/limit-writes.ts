import type { FastifyInstance } from 'fastify';
import { RefusedRequest } from '../answers/errors.ts';
import type { ApiKey } from '../requests/authenticate.ts';

const WINDOW_MS = 1_000;

/** Whose writes are counted together: those of a key, or of an address without one. */
export type WriteCaller = { readonly apiKey: ApiKey | null; readonly ip: string };

/** How a caller stands with this write: what its answer says of that, and the refusal of one too many. */
export type WriteStanding = {
  readonly headers: Readonly<Record<string, string>>;
  readonly refused: RefusedRequest | undefined;
};

/** Counts a write of the caller. */
export type WriteLimit = (caller: WriteCaller) => WriteStanding;

/**
 * Lets each key, and each address without one, write so many requests a second; 0 for no limit.
 *
 * - Shape: seconds are counted one by one, each from nothing; refused requests count too.
 */
export function createWriteLimit(maxPerSecond: number): WriteLimit | undefined {
  if (maxPerSecond === 0) return undefined;
  let counts = new Map<string, number>();
  let endsAt = 0;

  return ({ apiKey, ip }) => {
    const at = performance.now();
    if (at >= endsAt) {
      counts = new Map();
      endsAt = at + WINDOW_MS;
    }
    const caller = apiKey?.id ?? ip;
    const count = (counts.get(caller) ?? 0) + 1;
    counts.set(caller, count);
    const headers = {
      'ratelimit-limit': String(maxPerSecond),
      'ratelimit-remaining': String(Math.max(0, maxPerSecond - count)),
      'ratelimit-reset': '1',
    };
    const whose = apiKey === null ? 'An address' : 'A key';
    return { headers, refused: count > maxPerSecond ? tooMany(whose, maxPerSecond) : undefined };
  };
}

function tooMany(whose: string, maxPerSecond: number): RefusedRequest {
  return new RefusedRequest('rate_limited', `${whose} may write ${maxPerSecond} times a second.`, {
    headers: { 'retry-after': '1' },
  });
}

/** Puts the limit on the routes added after it that write. */
export function limitWrites(server: FastifyInstance, limit: WriteLimit): void {
  server.addHook('onRoute', (route) => {
    if (route.method !== 'POST' || route.config?.isRead === true) return;
    route.onRequest = [
      ...[route.onRequest ?? []].flat(), // The one that finds the key among them.
      (request, reply, done) => {
        const { headers, refused } = limit(request);
        reply.headers(headers);
        if (refused !== undefined) throw refused;
        done();
      },
    ];
  });
}
