import type { IncomingHttpHeaders } from 'node:http';
import type { Sender } from '#ingest/events/event-draft.ts';

/** No browser says more; what is longer is made up, and not read. */
const HINT_LENGTH_MAX = 256;

/** The user agent of a request, with client hints where a browser sends them. */
export function readClientHeaders(
  headers: IncomingHttpHeaders,
): Omit<Sender, 'address' | 'trustedSiteId'> {
  const { 'user-agent': userAgent, 'accept-language': language } = headers;
  const isPrivate = headers['sec-gpc'] === '1'; // Source: W3C, Global Privacy Control.
  if (headers['sec-ch-ua'] === undefined) return { userAgent, language, isPrivate };
  const read = (name: string) => String(headers[name] ?? '').slice(0, HINT_LENGTH_MAX);
  const hints = {
    brands: read('sec-ch-ua'),
    mobile: read('sec-ch-ua-mobile'),
    platform: read('sec-ch-ua-platform'),
    platformVersion: read('sec-ch-ua-platform-version'),
  };
  return { userAgent, language, isPrivate, hints };
}
