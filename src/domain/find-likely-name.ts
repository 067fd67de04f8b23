/** How much of a name may be mistaken: `TRUST_PROXY` is 5 of 14 letters away from `TRUSTED_PROXIES`. */
const MISTAKEN_MAX = 0.4;

/** What some put before the names of a program's settings. */
const PREFIX = /^TRIBUTARY_/;

/**
 * The name that somebody meant who wrote another one, if one is near: mistyped, in lower case, its
 * words in another order, or with the program's name before it.
 */
export function findLikelyName(written: string, names: readonly string[]): string | undefined {
  const [nearest] = names
    .map((name) => ({ name, mistaken: mistakenPart(written, name) }))
    .toSorted((a, b) => a.mistaken - b.mistaken);
  return nearest !== undefined && nearest.mistaken <= MISTAKEN_MAX ? nearest.name : undefined;
}

/** The part of a name's letters to change, at least one in a short name; 0 is the same. */
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

/** Letters to insert, leave out or replace. Source: Levenshtein, 1966; by Wagner and Fischer. */
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
