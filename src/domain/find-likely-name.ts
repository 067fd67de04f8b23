/** Maximum share of wrong letters: `TRUST_PROXY` is 5 of 14 letters away from `TRUSTED_PROXIES`. */
const MISTAKEN_MAX = 0.4;

/** A prefix that some people expect on settings. */
const PREFIX = /^TRIBUTARY_/;

/**
 * Suggests the known name closest to an unknown one, if any is close. Handles typos, lower case,
 * reordered words and the program's name as a prefix.
 */
export function findLikelyName(written: string, names: readonly string[]): string | undefined {
  const [nearest] = names
    .map((name) => ({ name, mistaken: mistakenPart(written, name) }))
    .toSorted((a, b) => a.mistaken - b.mistaken);
  return nearest !== undefined && nearest.mistaken <= MISTAKEN_MAX ? nearest.name : undefined;
}

/** The edit distance as a share of the name's letters; 0 means equal. */
function mistakenPart(written: string, name: string): number {
  const forms = [toLetters(written), toLetters(written, true)];
  const distances = [toLetters(name), toLetters(name, true)].map((letters, index) =>
    countEdits(forms[index] ?? '', letters),
  );
  return Math.min(...distances) / name.replaceAll('_', '').length;
}

function toLetters(name: string, isSorted = false): string {
  const words = name.toUpperCase().replace(PREFIX, '').split('_');
  return (isSorted ? words.toSorted() : words).join('');
}

/** Levenshtein distance (1966), by the Wagner–Fischer algorithm. */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (const [at, other] of [...to].entries()) {
      const replaced = (row[at] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
