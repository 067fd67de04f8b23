/**
 * How well a text matches what was typed: higher is better, undefined for no match.
 *
 * - Shape: it contains the typed letters, or they begin its words in order: `lmo` finds `Last month`. Early matches and
 *   short texts score higher.
 */
export function matchFuzzy(text: string, typed: string): number | undefined {
  const letters = fold(typed).replaceAll(' ', '');
  if (letters === '') return 0;
  const folded = fold(text);
  const inside = folded.indexOf(letters);
  const scores = scoresByWords(folded, letters);
  if (inside >= 0) scores.push(letters.length * IN_A_ROW - inside * SKIPPED);
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

/** The scores of all ways in which each letter begins a word or follows the one before. */
function scoresByWords(text: string, letters: string): number[] {
  let byEnd = new Map([[-1, 0]]);
  for (const letter of letters) {
    const next = new Map<number, number>();
    for (let at = text.indexOf(letter); at >= 0; at = text.indexOf(letter, at + 1)) {
      const isStart = isWordStart(text, at);
      const scores = [...byEnd]
        .filter(([end]) => end < at && (isStart || end === at - 1))
        .map(([end, score]) => score - (at - end - 1) * SKIPPED + (isStart ? AT_WORD : IN_A_ROW));
      if (scores.length > 0) next.set(at, Math.max(...scores));
    }
    byEnd = next;
  }
  return [...byEnd.values()];
}

function isWordStart(text: string, at: number): boolean {
  return at === 0 || /[^\p{L}\p{N}]/u.test(text[at - 1] ?? '');
}

/** Strips case and accents. */
function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
