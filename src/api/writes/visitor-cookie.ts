import { getDomain } from 'tldts';
import type { AcceptedVisitor } from '#ingest/events/accept-events.ts';
import type { Write } from './write-endpoint.ts';

const NAME = 'service_visitor_id';
const YEAR_SECONDS = 365 * 24 * 60 * 60;

/**
 * The `Set-Cookie` header that stores the visitor's id, if the page and this endpoint share an
 * origin, as when the site's own proxy forwards the request. Otherwise `undefined`.
 *
 * - Why: browsers that limit a script's cookies to a week keep a server's cookie for its whole year.
 * - Why the origin is checked: another site's form can reach this endpoint, and must not choose the id.
 * - Shape: the same name, value, domain and lifetime as the script's own cookie.
 */
export function toVisitorCookie(
  { visitorId, address: page, event }: Omit<AcceptedVisitor, 'isCookieless'>,
  { host, headers, apiKey }: Pick<Write, 'host' | 'headers' | 'apiKey'>,
): string | undefined {
  if (page === undefined || page.host !== host || page.origin !== headers.origin) return undefined;
  if (apiKey !== null) return undefined; // Sent by a server.
  const isOfHost = event.cookie_domain === ''; // Any other domain is found here, not believed.
  const domain = isOfHost ? null : getDomain(page.hostname, { allowPrivateDomains: true });
  return (
    `${NAME}=${visitorId}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax` +
    (domain === null ? '' : `; Domain=${domain}`) +
    (page.protocol === 'https:' ? '; Secure' : '')
  );
}
