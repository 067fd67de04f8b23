import type { IncomingHttpHeaders } from 'node:http';

/** A request that came whole and in one piece. */
export type PlainRequest = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
};

const HEAD_END = '\r\n\r\n';
const HEAD_MAX_BYTES = 8 * 1024;
/** Lines of visible characters and blanks, each header's name a word without underscores. */
const HEAD = /^POST (\/[a-z0-9/]*) HTTP\/1\.1\r\n(?:[A-Za-z0-9-]+:[\x20-\x7e\t]*\r\n)+$/;
const LENGTH = /^[1-9][0-9]{0,6}$/;
const USUAL_CONNECTION = /^keep-alive$/i;
/** What has a message or its connection read in another way than by its length. */
const NOT_PLAIN = new Set([
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * The request that these bytes are, if they are exactly one of the plainest form there is. Everything
 * else, well-formed or not, is `undefined`, and for Node's parser to read.
 *
 * - Shape: `POST`, a host, each header once and in visible ASCII, a length, and a body of that length.
 * - Why so little: there must be one way to read it. What proxies and servers are known to disagree
 *   about (chunks, lengths said twice, folded lines, bare line feeds, blanks before a colon) is none of it.
 * - Source: RFC 9112.
 */
export function readPlainRequest(bytes: Buffer): PlainRequest | undefined {
  const headEnd = bytes.indexOf(HEAD_END, 0, 'latin1');
  if (headEnd === -1 || headEnd > HEAD_MAX_BYTES) return undefined;
  const head = bytes.toString('latin1', 0, headEnd + 2);
  const path = HEAD.exec(head)?.[1];
  const headers = path === undefined ? undefined : readHeaders(head);
  if (path === undefined || headers?.host === undefined) return undefined;
  const bodyStart = headEnd + HEAD_END.length;
  const length = headers['content-length'] ?? '';
  if (!LENGTH.test(length) || bytes.length - bodyStart !== Number(length)) return undefined;
  return { path, headers, body: bytes.subarray(bodyStart) };
}

/** The headers of a head that is well-formed, by their names in small letters. */
function readHeaders(head: string): IncomingHttpHeaders | undefined {
  const headers: Record<string, string> = Object.create(null);
  let start = head.indexOf('\r\n') + 2;
  while (start < head.length) {
    const colon = head.indexOf(':', start);
    const end = head.indexOf('\r\n', colon);
    const name = head.slice(start, colon).toLowerCase();
    if (NOT_PLAIN.has(name) || name in headers) return undefined;
    headers[name] = head.slice(colon + 1, end).trim();
    start = end + 2;
  }
  return USUAL_CONNECTION.test(headers.connection ?? 'keep-alive') ? headers : undefined;
}
