import { lookup } from 'node:dns';
import * as https from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';

const http = process.getBuiltinModule('node:http'); // Its import would load `fetch` too: 5 MB.

const TIMEOUT_MS = 10_000;

/** Loopback, private and other addresses that are not on the public internet. */
const PRIVATE = new BlockList();
for (const [network, prefix] of [
  ...([
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
  ] as const),
  ...([
    ['169.254.0.0', 16],
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.168.0.0', 16],
  ] as const),
  ...([
    ['198.18.0.0', 15],
    ['224.0.0.0', 3],
  ] as const),
] as const) {
  PRIVATE.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  ...([
    ['::', 96],
    ['::1', 128],
    ['64:ff9b::', 96],
    ['fc00::', 7],
    ['fe80::', 10],
    ['ff00::', 8],
  ] as const),
] as const) {
  PRIVATE.addSubnet(network, prefix, 'ipv6');
}

/** Whether an address is not on the public internet. */
export function isPrivateAddress(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
  return PRIVATE.check(mapped, isIP(mapped) === 6 ? 'ipv6' : 'ipv4');
}

/** Describes what is wrong with a webhook's URL; `undefined` if it is acceptable. */
export function findWebhookFault(text: string, isTrusted: boolean): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '') {
    return 'must be an https URL, such as https://hooks.example.com/tributary';
  }
  if (isTrusted) return undefined;
  if (url.protocol !== 'https:') return 'must start with https://';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isOwn = isIP(host) !== 0 && isPrivateAddress(host);
  return isOwn ? 'must be on the public internet' : undefined;
}

/**
 * Posts JSON to a webhook. Throws if it is not accepted.
 *
 * - Why addresses are checked again after name resolution: a name may resolve differently later, and only
 *   the server's owner may reach private addresses (SSRF). Redirects are not followed.
 */
export async function postWebhook(text: string, body: object, isTrusted: boolean): Promise<void> {
  const fault = findWebhookFault(text, isTrusted);
  if (fault !== undefined) throw new Error(`The webhook's URL ${fault}.`);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const { request } = text.startsWith('https:') ? https : http;
  const sent = request(text, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'tributary' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(!isTrusted && { lookup: lookUpPublic }),
  });
  sent.on('error', reject);
  sent.on('response', (response) => {
    response.resume();
    resolve(response.statusCode ?? 0);
  });
  sent.end(JSON.stringify(body));
  const status = await promise;
  if (status < 200 || status > 299) throw new Error(`The webhook answered ${status}.`);
}

const lookUpPublic: LookupFunction = (hostname, options, done) => {
  lookup(hostname, options, (error, address, family) => {
    const all = Array.isArray(address) ? address.map((each) => each.address) : [address];
    if (error === null && all.some(isPrivateAddress)) {
      done(new Error('The webhook resolves to a private address.'), '', 0);
      return;
    }
    done(error, address, family);
  });
};
