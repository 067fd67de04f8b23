import type { Referrer } from '#domain/acquisition/acquisition.ts';
import { maskSecrets } from '#domain/site/mask-secrets.ts';
import { readFactTable } from './fact-table.ts';

const NO_REFERRER: Referrer = { url: '', host: '' };

/** Longest accepted referrer. Browsers send at most 4,096 characters. */
const MAX_LENGTH = 4_096;

const BROWSER_APPS = new Set(
  readFactTable('browser-apps.csv', ['package']).map((row) => row.package),
);

/**
 * Parses a referrer and its host: lower case, Punycode, without `www.`.
 *
 * - Shape: the URL is as sent, without query, fragment, control characters and secrets. The host of an Android app is its scheme and
 *   package (`android-app://com.slack`). Browser apps, and anything that is neither a web page nor an
 *   app (`about:blank`, `javascript:`, malformed text), count as no referrer.
 */
export function parseReferrer(text: string): Referrer {
  if (text === '' || text.length > MAX_LENGTH) return NO_REFERRER;
  const url = URL.parse(text);
  const sent = maskSecrets(text.replace(/[?#].*|\p{Cc}+/gsu, ''));
  if (!url?.hostname) return NO_REFERRER;
  const hostname = url.hostname.toLowerCase(); // Of an app, as it was sent: `com.Slack`.
  switch (url.protocol) {
    case 'http:':
    case 'https:':
      return { url: sent, host: hostname.replace(/^www\./, '').replace(/\.$/, '') };
    case 'android-app:':
      if (BROWSER_APPS.has(hostname)) return NO_REFERRER;
      return { url: sent, host: `android-app://${hostname}` };
    default:
      return NO_REFERRER;
  }
}
