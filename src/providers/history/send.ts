import type { SendRequest } from './ask-provider.ts';

/** Sends a request through the guard that all requests to other servers pass. */
type Guarded = (
  url: URL,
  request: {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly body: string;
    readonly isTrusted: boolean;
  },
  limits: { readonly durationMs: number; readonly bytesMax: number },
) => ReturnType<SendRequest>;

/** A page holds some hundred objects. */
const LIMITS = { durationMs: 30_000, bytesMax: 30_000_000 };

/** Creates what sends requests to providers. Only trusted origins may be on a private network. */
export function createSend(guarded: Guarded, trusted: readonly string[]): SendRequest {
  return (url, { method = 'GET', headers, body = '' }) => {
    const named = { ...headers, 'user-agent': 'tributary' };
    const isTrusted = trusted.includes(url.origin);
    return guarded(url, { method, headers: named, body, isTrusted }, LIMITS);
  };
}
