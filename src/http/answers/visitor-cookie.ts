import { getDomain } from 'tldts';
import type { Write } from '../writes/write-endpoint.ts';

const NAME = 'service_visitor_id';
const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** The visitor of an accepted event, and the page it happened on: of the site, that is checked. */
export type PageVisitor = { readonly id: string; readonly page: URL | undefined };

/**
 * The `Set-Cookie` that keeps the visitor's id, where the page and this endpoint are of one origin:
 * a proxy of the site's own passes the request on. Nothing for every other request.
 *
 * - Why: browsers that keep a script's cookies for a week keep a server's for its whole year.
 * - Why the origin too: another site's form can ask this endpoint, and must not choose the id.
 * - Shape: the same name, value, domain and life as the script's own.
 */
export function toVisitorCookie(
  { id, page }: PageVisitor,
  { host, headers, apiKey }: Pick<Write, 'host' | 'headers' | 'apiKey'>,
): string | undefined {
  if (page === undefined || page.host !== host || page.origin !== headers.origin) return undefined;
  if (apiKey !== null) return undefined; // A server sent it.
  const domain = getDomain(page.hostname, { allowPrivateDomains: true });
  return (
    `${NAME}=${id}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax` +
    (domain === null ? '' : `; Domain=${domain}`) +
    (page.protocol === 'https:' ? '; Secure' : '')
  );
}
