import type { FastifyRequest } from 'fastify';

type Asked = Pick<FastifyRequest, 'method' | 'url' | 'headers'>;

/** The dashboard's own pages, and those of a site, which begin with its domain. */
const PAGE =
  /^\/(sign-in|start|reset|forgotten|invite|account|sites|(unsubscribe|share)\/.+|[\w-]+(\.[\w-]+)+(\/.*)?)$/;
/** What scanners and browsers ask every server for: `robots.txt`, `wp-login.php`. */
const FILE = /\.(css|env|gif|html?|ico|jpe?g|js|json|map|php|png|svg|txt|webmanifest|xml|ya?ml)$/i;

/** Whether a browser opens a page. Programs that mistype an API path get an API error instead. */
export function asksForPage({ method, url, headers: { accept = '' } }: Asked): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && accept.includes('text/html') && !/^\/(api|js|assets)(\/|$)/.test(url);
}

/**
 * Whether the dashboard's page answers a path without a route of its own. Link checkers and `curl` take
 * anything, so for them the path decides.
 */
export function isPage(request: Asked): boolean {
  if (asksForPage(request)) return true;
  const { method, url, headers } = request;
  const path = url.split('?', 1)[0] ?? '';
  const takesAnything = (headers.accept ?? '*/*').includes('*/*');
  return /^(GET|HEAD)$/.test(method) && takesAnything && PAGE.test(path) && !FILE.test(path);
}
