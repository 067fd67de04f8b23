import { lookup } from 'node:dns';
import type { IncomingHttpHeaders, IncomingMessage, RequestOptions } from 'node:http';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { addRange, isAmong } from './data-centres.ts';
import { isPublicAddress } from './is-public-address.ts';

/** Loaded with the first request: a command sends none, and TLS takes a tenth of its start. An import would load `fetch` too: 5 MB. */
const loadClient = (protocol: string): Pick<typeof import('node:https'), 'request'> =>
  protocol === 'https:'
    ? process.getBuiltinModule('node:https')
    : process.getBuiltinModule('node:http');

/** Whether an address is on the public internet, and not this machine's own. */
export function isElsewhere(address: string): boolean {
  const own = new BlockList(); // Read each time: addresses come and go.
  for (const each of Object.values(networkInterfaces()).flat()) addRange(own, each?.address ?? '');
  return isPublicAddress(address) && !isAmong(own, address);
}

/** Describes what is wrong with a URL that the server's owner did not set; `undefined` if requests may go there. */
export function findUrlFault({ protocol, hostname }: URL): string | undefined {
  if (protocol !== 'https:') return 'must start with https://';
  const host = hostname.replace(/^\[|\]$/g, '');
  const isPrivate = isIP(host) !== 0 && !isElsewhere(host);
  return isPrivate ? 'must be on the public internet, and not this machine' : undefined;
}

/** A request. A trusted URL was set by the server's owner, so it may be on a private network. */
type GuardedRequest = RequestOptions & {
  readonly body: string | Buffer;
  readonly isTrusted: boolean;
};

/**
 * Sends a request to another server. Resolves with the head of its answer; redirects are not followed.
 *
 * - Throws if the URL is not trusted, and is not https or leads to a private address or this machine (SSRF).
 * - Why addresses are checked again after name resolution: a name may resolve differently later. And why no connection
 *   is kept: a trusted one would be open to others, unchecked.
 * - Source: docs/decisions/0022-requests-to-other-servers-pass-one-guard.md.
 */
export async function sendGuarded(
  url: URL,
  { body, isTrusted, ...options }: GuardedRequest,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const fault = isTrusted ? undefined : findUrlFault(url);
  if (fault !== undefined) throw new Error(`${url.origin} ${fault}.`);
  const { request } = loadClient(url.protocol);
  const guard = isTrusted ? {} : { lookup: lookUpElsewhere };
  const sent = request(url, { ...options, ...guard, agent: false });
  sent.on('error', reject).on('response', resolve).end(body);
  return promise;
}

const lookUpElsewhere: LookupFunction = (hostname, options, done) => {
  lookup(hostname, options, (error, address, family) => {
    const all = Array.isArray(address) ? address.map((each) => each.address) : [address];
    const fault = new Error(`${hostname} resolves to a private address, or to this machine.`);
    done(error ?? (all.every(isElsewhere) ? null : fault), address, family);
  });
};

/** How long an answer may take, and how large it may be. */
type AnswerLimits = { readonly durationMs: number; readonly bytesMax: number };

/** An answer that was read to its end. */
type GuardedAnswer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
};

/** Sends a request to another server and reads its answer. Throws if that takes too long, or is too large. */
export async function askGuarded(
  url: URL,
  request: GuardedRequest,
  { durationMs, bytesMax }: AnswerLimits,
): Promise<GuardedAnswer> {
  const signal = AbortSignal.timeout(durationMs);
  const answer = await sendGuarded(url, { ...request, signal });
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of answer) {
    bytes += part.length;
    if (bytes > bytesMax) throw new Error(`The answer is larger than ${bytesMax} bytes.`);
    parts.push(part);
  }
  const { statusCode: status = 0, headers } = answer;
  return { status, headers, text: Buffer.concat(parts).toString() };
}

/** Which origins of payment providers' APIs may be on a private network. */
export function readTrustedApis(
  read: <T>(name: string, otherwise: T, parse: (text: string) => T | undefined, of: string) => T,
): readonly string[] {
  const allowed = 'a list of origins, such as http://10.0.0.7:8080,https://shop.internal';
  return read('TRUSTED_PROVIDER_APIS', [], parseOrigins, allowed);
}

function parseOrigins(text: string): readonly string[] | undefined {
  const origins = text.split(',').map((each) => URL.parse(each.trim())?.origin);
  return origins.every((each) => each?.startsWith('http')) ? (origins as string[]) : undefined;
}
