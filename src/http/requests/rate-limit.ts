import type { onRequestHookHandler } from 'fastify';
import { RefusedRequest } from '../answers/errors.ts';
import type { ApiKey } from './authenticate.ts';
import { toNetwork } from './to-network.ts';

/** Whose requests are counted together: those of a key, or of an address without one. */
export type Caller = { readonly apiKey: ApiKey | null; readonly ip: string };

/** How a caller stands with this request: what its answer says of that, and the refusal of one too many. */
export type Standing = {
  readonly headers: Readonly<Record<string, string>>;
  readonly refused: RefusedRequest | undefined;
};

/** Counts a request of the caller. */
export type RateLimit = (caller: Caller) => Standing;

/**
 * Lets each key, and each address without one (of IPv6, each /64), send so many requests in a window;
 * 0 for no limit.
 *
 * - Shape: windows follow one another, each counted from nothing; refused requests count too.
 * - `limited` is what a caller may do: "write 50 times a second".
 */
export function createRateLimit(
  max: number,
  windowMs: number,
  limited: string,
): RateLimit | undefined {
  if (max === 0) return undefined;
  let counts = new Map<string, number>();
  let endsAt = 0;

  return ({ apiKey, ip }) => {
    const at = performance.now();
    if (at >= endsAt) {
      counts = new Map();
      endsAt = at + windowMs;
    }
    const caller = apiKey?.id ?? toNetwork(ip);
    const count = (counts.get(caller) ?? 0) + 1;
    counts.set(caller, count);
    const reset = String(Math.ceil((endsAt - at) / 1_000));
    const headers = {
      'ratelimit-limit': String(max),
      'ratelimit-remaining': String(Math.max(0, max - count)),
      'ratelimit-reset': reset,
    };
    if (count <= max) return { headers, refused: undefined };
    const message = `${apiKey === null ? 'An address' : 'A key'} may ${limited}.`;
    const more = { headers: { 'retry-after': reset } };
    return { headers, refused: new RefusedRequest('rate_limited', message, more) };
  };
}

/** Hooks that apply the limit, behind the one that finds the key. */
export function toHooks(limit: RateLimit | undefined): onRequestHookHandler[] {
  if (limit === undefined) return [];
  return [
    (request, reply, done) => {
      const { headers, refused } = limit(request);
      reply.headers(headers);
      if (refused !== undefined) throw refused;
      done();
    },
  ];
}
