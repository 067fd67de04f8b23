const TURNS = '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069';
const NAMES = ['LRE', 'RLE', 'PDF', 'LRO', 'RLO', 'LRI', 'RLI', 'FSI', 'PDI'];

/**
 * A text of the API in which the characters that turn the direction of others are written out: `‹RLO›`.
 *
 * - Why: visitors choose addresses, tags and names, and with these characters what stands beside them.
 * - Source: the names of Unicode's annex 9, https://www.unicode.org/reports/tr9/.
 */
export function nameTurns(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, (turn) => `‹${NAMES[TURNS.indexOf(turn)]}›`);
}

/** The same of a URL's query, which somebody else may have written. */
export function nameEncodedTurns(search: string): string {
  return search.replace(/%E2%8(?:0%A[A-E]|1%A[6-9])/gi, (at) => nameTurns(decodeURIComponent(at)));
}

/** The inverse of {@link nameTurns}, for the filters and ids of a body or a URL. */
export function restoreTurns(text: string): string {
  return text.replace(/(?:‹|%E2%80%B9)([A-Z]{3})(›|%E2%80%BA)/g, (whole, name, end) => {
    const turn = TURNS[NAMES.indexOf(name)];
    return turn === undefined ? whole : end === '›' ? turn : encodeURIComponent(turn);
  });
}
