import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether the caller already has the response with this tag, so that 304 suffices.
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
