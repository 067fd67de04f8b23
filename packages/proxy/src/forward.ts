import { type AddressOptions, addressFrom } from './address.ts';

/** Where a site's own route forwards the script and its events, and as whom. */
export type ForwardOptions = AddressOptions & {
  /** Where Tributary answers. Default: the variable `TRIBUTARY_URL`. */
  readonly url?: string | undefined;
  /** A key with the scope `events:write`, by which Tributary believes the address. Default: `TRIBUTARY_KEY`. */
  readonly key?: string | undefined;
  /** How long Tributary may take. Default: 5 s; events then wait in the browser. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof globalThis.fetch;
};

/** The path that serves the script of every site, and receives its events. */
const SCRIPT_PATH = 'js/script.js';
/** The largest batch that Tributary takes. */
const BODY_MAX_BYTES = 1024 * 1024;

/** Next.js 14 caches requests. The standard's `cache` is an error in some edge runtimes. */
const UNCACHED = { next: { revalidate: 0 } };

/** What Tributary reads of a browser's request. Cookies never leave the site. */
const PASSED_ON = [
  ...['accept-language', 'content-type', 'if-none-match', 'origin', 'referer', 'sec-gpc'],
  ...['sec-ch-ua', 'sec-ch-ua-mobile', 'sec-ch-ua-platform', 'sec-ch-ua-platform-version'],
  'user-agent',
];
/** What a browser reads of the answer. `fetch` has already decompressed the body. */
const PASSED_BACK = ['cache-control', 'content-type', 'etag', 'retry-after'];

let isWarned = false;

/**
 * Forwards a request for the script, or with its events, from a route of the site to Tributary, and returns the answer, which
 * sets the visitor's cookie.
 *
 * - The address is the visitor's or none, never this server's. Tributary believes it by the key, through proxies
 *   that rewrite `X-Forwarded-For`; without a key, it must list this server in `TRUSTED_PROXIES`.
 */
export async function forward(request: Request, options: ForwardOptions = {}): Promise<Response> {
  const { url = readVariable('TRIBUTARY_URL'), timeoutMs = 5_000 } = options;
  const { method } = request;
  if (method !== 'GET' && method !== 'POST') {
    return refuse(405, 'method_not_allowed', 'Use GET or POST.', { allow: 'GET, POST' });
  }
  if (!url || !/^https?:\/\/[^/]/.test(url)) {
    return refuse(503, 'unavailable', 'Set TRIBUTARY_URL to an address: https://…');
  }
  const tooLarge = () => refuse(413, 'request_too_large', 'Events may have 1 MiB.');
  if (Number(request.headers.get('content-length')) > BODY_MAX_BYTES) return tooLarge();
  const body = method === 'POST' ? await request.arrayBuffer() : null;
  if (body !== null && body.byteLength > BODY_MAX_BYTES) return tooLarge();
  const { fetch = globalThis.fetch } = options;
  try {
    const answer = await fetch(new URL(SCRIPT_PATH, url.endsWith('/') ? url : `${url}/`), {
      ...{ method, body, headers: toHeaders(request.headers, options) },
      ...{ redirect: 'manual', ...UNCACHED, signal: AbortSignal.timeout(timeoutMs) },
    });
    if (answer.status >= 301 && answer.status <= 308 && answer.status !== 304) {
      return refuse(502, 'unavailable', 'TRIBUTARY_URL redirects: set it to the final address.');
    }
    warnIfRefused(answer);
    return toBrowser(answer, await answer.arrayBuffer());
  } catch {
    return refuse(502, 'unavailable', 'Tributary does not answer.');
  }
}

function toHeaders(asked: Headers, options: ForwardOptions): Headers {
  const { key = readVariable('TRIBUTARY_KEY') } = options;
  const headers = new Headers();
  for (const name of PASSED_ON) {
    const value = asked.get(name);
    if (value !== null) headers.set(name, value);
  }
  const address = addressFrom(asked, options);
  const host = asked.get('x-forwarded-host')?.split(',').at(-1)?.trim() ?? asked.get('host');
  if (address !== undefined) headers.set('x-forwarded-for', address);
  if (host !== null) headers.set('x-forwarded-host', host);
  if (key !== undefined) {
    headers.set('x-tributary-key', key);
    headers.set('x-tributary-address', address ?? '');
    headers.set('x-tributary-host', host ?? '');
  }
  return headers;
}

/** Tells whoever runs this server, once. Visitors are counted all the same, without a place. */
function warnIfRefused({ headers }: Response): void {
  if (isWarned || headers.get('x-tributary-forwarded') !== 'refused') return;
  isWarned = true;
  console.error(
    'Tributary does not know the places of visitors: the key of the proxy is not valid for events. Set TRIBUTARY_KEY to a key with the scope events:write.',
  );
}

function toBrowser(answer: Response, body: ArrayBuffer): Response {
  const headers = new Headers({ 'x-content-type-options': 'nosniff' });
  for (const name of PASSED_BACK) {
    const value = answer.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  for (const cookie of readCookies(answer.headers)) headers.append('set-cookie', cookie);
  const { status } = answer;
  return new Response(status === 304 ? null : body, { status, headers });
}

/** Older runtimes lack `getSetCookie`; Tributary sets one cookie, whose text has no comma. */
function readCookies(headers: Headers): readonly string[] {
  if (typeof headers.getSetCookie === 'function') return headers.getSetCookie();
  const cookie = headers.get('set-cookie');
  return cookie === null ? [] : [cookie];
}

function refuse(
  code: number,
  type: string,
  message: string,
  headers: Record<string, string> = {},
): Response {
  const error = { code, type, message, details: [], request_id: '' };
  return Response.json({ status: 'error', error }, { status: code, headers });
}

/** A variable of the environment, where the runtime has one. */
const readVariable = (name: string): string | undefined =>
  Reflect.get(globalThis, 'process')?.env?.[name];
