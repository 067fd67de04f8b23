/**
 * How well a text matches what was typed: higher is better, undefined for no match.
 *
 * - Shape: the typed letters occur in the text in order. Letters at word starts and consecutive
 *   letters score higher, and so do early matches and short texts.
 */
export function matchFuzzy(text: string, typed: string): number | undefined {
  const letters = fold(typed).replaceAll(' ', '');
  if (letters === '') return 0;
  const starts = [...fold(text)].flatMap((letter, at) => (letter === letters[0] ? [at] : []));
  const scores = starts.flatMap((start) => scoreFrom(fold(text), letters, start) ?? []);
  return scores.length === 0 ? undefined : Math.max(...scores) - text.length / 1_000;
}

/** The entries that match what was typed, best first; ties keep their order. */
export function findFuzzy<Entry extends { readonly label: string; readonly group: string }>(
  entries: readonly Entry[],
  typed: string,
): Entry[] {
  return entries
    .flatMap((entry) => {
      const own = matchFuzzy(entry.label, typed);
      const score = own ?? matchFuzzy(`${entry.group} ${entry.label}`, typed);
      return score === undefined ? [] : [{ entry, score: own === undefined ? score - 100 : score }];
    })
    .toSorted((a, b) => b.score - a.score)
    .map(({ entry }) => entry);
}

const AT_WORD = 8;
const IN_A_ROW = 5;
const SKIPPED = 0.1;

function scoreFrom(text: string, letters: string, start: number): number | undefined {
  let score = 0;
  let at = start;
  let last = start - 1;
  for (const letter of letters) {
    at = text.indexOf(letter, last + 1);
    if (at === -1) return undefined;
    if (isWordStart(text, at)) score += AT_WORD;
    else if (at === last + 1) score += IN_A_ROW;
    score -= (at - last - 1) * SKIPPED;
    last = at;
  }
  return score - start * SKIPPED;
}

function isWordStart(text: string, at: number): boolean {
  return at === 0 || /[^\p{L}\p{N}]/u.test(text[at - 1] ?? '');
}

/** Strips case and accents. */
function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
