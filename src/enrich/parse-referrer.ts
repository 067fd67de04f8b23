import type { Referrer } from '#domain/acquisition/acquisition.ts';
import { readFactTable } from './fact-table.ts';

const NO_REFERRER: Referrer = { url: '', host: '' };

/** Longest referrer that is kept; browsers send no more than 4,096 characters. */
const MAX_LENGTH = 4_096;

const BROWSER_APPS = new Set(
  readFactTable('browser-apps.csv', ['package']).map((row) => row.package),
);

/**
 * A referrer with its host, in lower case, international names in Punycode, without `www.`.
 *
 * - Shape: as sent, but without control characters. An Android app's host is its scheme and package (`android-app://com.slack`). What is no
 *   web page and no app (`about:blank`, `javascript:`, broken text) is no referrer, nor is a browser's app.
 */
export function parseReferrer(text: string): Referrer {
  if (text === '' || text.length > MAX_LENGTH) return NO_REFERRER;
  const url = URL.parse(text);
  const sent = text.replace(/\p{Cc}+/gu, '');
  if (!url?.hostname) return NO_REFERRER;
  switch (url.protocol) {
    case 'http:':
    case 'https:':
      return { url: sent, host: url.hostname.replace(/^www\./, '').replace(/\.$/, '') };
    case 'android-app:':
      if (BROWSER_APPS.has(url.hostname)) return NO_REFERRER;
      return { url: sent, host: `android-app://${url.hostname}` };
    default:
      return NO_REFERRER;
  }
}
