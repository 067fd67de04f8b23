import { decodePercent } from '#domain/decode-percent.ts';
import { NONE, UNATTRIBUTED } from '#domain/row-labels.ts';
import { isEmail, maskSecrets } from '#domain/site/mask-secrets.ts';

/** Longest stored value of a tag, in code points; the same as for a goal's metadata. */
const MAX_VALUE_LENGTH = 255;
/** Only this much of a query string is read. Campaign links are shorter. */
const MAX_QUERY_LENGTH = 8_192;

/** Tags that name a source or campaign. Others, such as click ids, are random by nature. */
const NAMES = /^(?:utm_|(?:ref|source|via)$)/;

/** A link must not add to the rows of what is missing. */
const NO_VALUES: readonly string[] = ['', NONE, UNATTRIBUTED];

const ENCODED = /(?:%[\da-f]{2})+/gi;

/**
 * Parses a query string into its first non-empty values, by lower-case name. Labels of missing values are empty.
 *
 * - Shape: `query` comes from {@link cutQuery}. Values are decoded, trimmed, truncated to 255 code points, and free
 *   of control characters and secrets. Malformed percent-encoding is read as browsers do, and never fails.
 * - Why more than a browser reads: mail programs write `&amp;` and encode twice, and people append `?tags` to an
 *   address that has a query.
 */
export function parseTags(query: string): ReadonlyMap<string, string> {
  const tags = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query.replaceAll(/\?(?=[\w.-]+=)/g, '&'))) {
    const key = name.toLowerCase().replace(/^(?:\s|amp;)+|\s+$/g, '');
    const clean = cleanValue(value);
    const masked = NAMES.test(key) || isEmail(clean) ? maskSecrets(clean) : clean;
    const isLong = masked.length > MAX_VALUE_LENGTH;
    const text = isLong ? [...masked].slice(0, MAX_VALUE_LENGTH).join('') : masked;
    if (!NO_VALUES.includes(text) && !tags.has(key)) tags.set(key, text);
  }
  return tags;
}

/** The raw query string of a URL, truncated to the length of campaign links. Without `utm_` tags, those of the fragment. */
export function cutQuery(url: string): string {
  const hash = url.indexOf('#');
  const address = hash === -1 ? url : url.slice(0, hash);
  const start = address.indexOf('?');
  const query = start === -1 ? '' : address.slice(start + 1, start + 1 + MAX_QUERY_LENGTH);
  if (hash === -1 || /utm_/i.test(query)) return query;
  const tags = url.slice(hash, hash + MAX_QUERY_LENGTH).match(/(?<=[#?&;])utm_\w+=[^&?]*/gi) ?? [];
  return [query, ...tags].filter((part) => part !== '').join('&');
}

function cleanValue(value: string): string {
  return value
    .replace(ENCODED, decodePercent)
    .replace(ENCODED, decodePercent) // It may have been encoded three times.
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
}
