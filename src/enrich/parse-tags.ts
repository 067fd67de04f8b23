/** Longest value kept of a tag, in code points: as long as a goal's metadata. */
const MAX_VALUE_LENGTH = 255;
/** A query string beyond this is no campaign link; what stands after it is not read. */
const MAX_QUERY_LENGTH = 8_192;

const NO_TAGS: ReadonlyMap<string, string> = new Map();

/**
 * The values of an address's query string by name in lower case, the first that is not empty.
 *
 * - Shape: `query` as {@link cutQuery} cuts it; values decoded, trimmed, cut to 255 code points, without control characters. Broken
 *   percent-encoding is read as browsers read it, and never fails.
 */
export function parseTags(query: string): ReadonlyMap<string, string> {
  if (query === '') return NO_TAGS;
  const tags = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    const key = name.toLowerCase();
    const text = cleanValue(value);
    if (text !== '' && !tags.has(key)) tags.set(key, text);
  }
  return tags;
}

/** The query string of an address as it is written, cut where no campaign link reaches. */
export function cutQuery(url: string): string {
  const hash = url.indexOf('#');
  const address = hash === -1 ? url : url.slice(0, hash);
  const start = address.indexOf('?');
  return start === -1 ? '' : address.slice(start + 1, start + 1 + MAX_QUERY_LENGTH);
}

function cleanValue(value: string): string {
  const text = value.replace(/\p{Cc}+/gu, ' ').trim();
  return text.length <= MAX_VALUE_LENGTH ? text : [...text].slice(0, MAX_VALUE_LENGTH).join('');
}
