/** The cookie in which the script keeps the visitor's id. */
const COOKIE = 'service_visitor_id';
/** The header in which a page sends the id that it knows, as on a cookieless site: `tributary.visitor`. */
export const VISITOR_HEADER = 'x-service-visitor-id';

/** Source: the contract. A visitor controls the cookie, so it may hold anything. */
const VISITOR_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** The headers of a request: of the Web platform, or of Node, Express and Fastify. */
export type AnyHeaders =
  | Pick<Headers, 'get'>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A request with headers: of the Web platform, or of Node, Express and Fastify. */
export type AnyRequest = { readonly headers: AnyHeaders };

/**
 * The visitor's id that a request carries: in the header `x-service-visitor-id`, else in the cookie. Undefined if the script
 * was blocked or has not run yet.
 *
 * - Why the header goes first: a page that sends it says who its visitor is now. On a cookieless site it sends
 *   `tributary.visitor`, and a cookie can only be an old one.
 */
export function visitorFrom(request: AnyRequest | AnyHeaders): string | undefined {
  const headers = 'headers' in request ? (request.headers as AnyHeaders) : (request as AnyHeaders);
  const ids = [readHeader(headers, VISITOR_HEADER), readCookie(readHeader(headers, 'cookie'))];
  return ids.find((id) => id !== undefined && VISITOR_ID.test(id));
}

/** A header of a request, whatever kind of headers it has. */
export function readHeader(headers: AnyHeaders, name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined;
  const value = (headers as Readonly<Record<string, string | readonly string[] | undefined>>)[name];
  return typeof value === 'string' || value === undefined ? value : value.join(', ');
}

function readCookie(cookies = ''): string | undefined {
  const pairs = cookies.split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1);
}

/**
 * The metadata by which a provider's payment finds its visitor: for Stripe, Polar, Creem and others. Empty if the
 * visitor is unknown.
 */
export function checkoutMetadata(visitor: string | undefined): { service_visitor_id?: string } {
  return visitor === undefined ? {} : { service_visitor_id: visitor };
}

/**
 * The `user_hash` that proves a user id to Tributary: HMAC-SHA256 under the site's identity secret, in hexadecimal. A page
 * passes it on: `tributary('identify', { user_id, user_hash })`.
 */
export async function signUserId(userId: string, identitySecret: string): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const secret = encoder.encode(identitySecret);
  const key = await crypto.subtle.importKey('raw', secret, algorithm, false, ['sign']);
  const digest = new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(userId)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
