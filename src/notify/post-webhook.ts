import { lookup } from 'node:dns';
import * as https from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { addRange, isAmong } from '#enrich/data-centres.ts';
import { isPublicAddress } from '#enrich/is-public-address.ts';

const http = process.getBuiltinModule('node:http'); // Its import would load `fetch` too: 5 MB.

const TIMEOUT_MS = 10_000;

/** Whether an address is on the public internet, and not this machine's own. */
export function isElsewhere(address: string): boolean {
  const own = new BlockList(); // Read each time: addresses come and go.
  for (const each of Object.values(networkInterfaces()).flat()) addRange(own, each?.address ?? '');
  return isPublicAddress(address) && !isAmong(own, address);
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
  const isNear = isIP(host) !== 0 && !isElsewhere(host);
  return isNear ? 'must be on the public internet, and not this machine' : undefined;
}

/**
 * Posts JSON to a webhook. Throws if it is not accepted.
 *
 * - Why addresses are checked again after name resolution: a name may resolve differently later, and only
 *   the server's owner may reach private addresses and this machine (SSRF). Redirects are not followed.
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
    if (error === null && !all.every(isElsewhere)) {
      done(new Error('The webhook resolves to a private address, or to this machine.'), '', 0);
      return;
    }
    done(error, address, family);
  });
};
