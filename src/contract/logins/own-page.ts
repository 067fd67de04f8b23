/**
 * The path, query and hash of `next`, if browsers would open it on `origin`; otherwise `/`. Browsers skip tabs and line
 * breaks, and read `\` as `/`, so only their own parser tells where a URL leads.
 */
export function toOwnPage(next: string, origin: string): string {
  const url = URL.parse(next, origin);
  if (url?.origin !== origin) return '/';
  return `${url.pathname}${url.search}${url.hash}`.replace(/^\/+/, '/');
}
