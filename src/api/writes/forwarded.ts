import { isIP } from 'node:net';
import { findValidKey, type KeyDirectory } from '#server/requests/authenticate.ts';
import type { WriteEndpoint } from './write-endpoint.ts';

/**
 * Lets the site's own server forward what browsers send: with the visitor's address and the site's host as that server states
 * them, if a key with the scope `events:write` stands for it. The write stays a browser's: what it claims is not trusted.
 *
 * - Why not `X-Forwarded-For`: proxies in between rewrite it, and the addresses of hosted servers change, so that nobody can
 *   list them in `TRUSTED_PROXIES`.
 * - Source: docs/decisions/0024-a-site-vouches-for-its-visitors-addresses.md.
 * - With an invalid key, the visitor's address is unknown. It is never the address of the site's server.
 */
export function withForwarding(
  keys: KeyDirectory,
  answer: WriteEndpoint['answer'],
): WriteEndpoint['answer'] {
  return async (write) => {
    const { headers } = write;
    const {
      'x-tributary-key': key,
      'x-tributary-address': said,
      'x-tributary-host': host,
    } = headers;
    if (key === undefined || write.apiKey !== null) return answer(write);
    const isValid = () => findValidKey(keys, `Bearer ${key}`, 'events:write') !== undefined;
    const isBelieved = isValid() || (await keys.refresh().then(isValid)); // It may be new.
    const ip = isBelieved && isIP(String(said)) !== 0 ? String(said) : '';
    const { apiKey, body, bodyText } = write;
    const told = {
      ip,
      host: isBelieved && host !== undefined ? String(host) : write.host,
      isForwarded: true,
    };
    const answered = await answer({ headers, apiKey, body, bodyText, ...told });
    return isBelieved ? answered : { ...answered, headers: { ...answered.headers, ...REFUSED } };
  };
}

/** Tells the site's server, and not its visitors, that its key is wrong. */
const REFUSED = { 'x-tributary-forwarded': 'refused' };
