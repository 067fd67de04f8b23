import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether the caller has the answer of this tag, and 304 will do.
 *
 * - Source: RFC 9110, section 13.1.2.
 */
export function isKnown(
  tag: string,
  { 'if-none-match': header = '' }: IncomingHttpHeaders,
): boolean {
  const tags = header.split(',').map((each) => each.trim().replace(/^W\//, ''));
  return tags.includes(tag) || tags.includes('*');
}
