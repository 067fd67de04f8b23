import type { onRequestHookHandler } from 'fastify';
import { toNetwork } from '../connections/to-network.ts';
import { RefusedRequest } from '../errors/errors.ts';
import type { Credential } from './authenticate.ts';

/** A caller whose requests are counted together: a key, a person, or an address without either. */
type Caller = { readonly apiKey: Pick<Credential, 'id'> | null; readonly ip: string };

/** The result of counting a request: headers for the response, and the refusal if it exceeds the limit. */
export type RateStatus = {
  readonly headers: Readonly<Record<string, string>>;
  readonly refused: RefusedRequest | undefined;
};

/** Counts a request of the caller. */
export type RateLimit = (caller: Caller) => RateStatus;

/**
 * Limits the requests of each key, or each address without a key (for IPv6, each /64), in a window.
 * A `max` of 0 means no limit.
 *
 * - Shape: fixed windows, each starting from zero. Refused requests count too.
 * - `message` tells refused callers what the limit is.
 */
export function createRateLimit(
  max: number,
  windowMs: number,
  message: string,
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
    const more = { headers: { 'retry-after': reset } };
    return { headers, refused: new RefusedRequest('rate_limited', message, more) };
  };
}

/** Hooks that apply the limit; they come after the hook that finds the key. */
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
