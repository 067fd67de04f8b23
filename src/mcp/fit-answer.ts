import type { ToolAnswer } from './tools/tool.ts';

/** The longest answer, in characters: some eight thousand tokens. */
const ANSWER_MAX_CHARS = 24_000;
/** The longest text in it. Tributary's own are shorter; titles and paths may have thousands of characters. */
const TEXT_MAX_CHARS = 600;

/**
 * An answer as JSON that fits into an assistant's context: long texts are cut, and rows at the end are left out until it
 * does. `more` says how many there are, if not all are shown.
 */
export function fitAnswer({ rows, total_rows: total, ...others }: ToolAnswer): string {
  if (rows === undefined) return toJson(others);
  for (let shown = rows; ; shown = shown.slice(0, Math.floor(shown.length * 0.75))) {
    const all = Math.max(total ?? 0, rows.length);
    const more = shown.length < all && {
      more: `${shown.length} of ${all} rows are shown. Filter, ask for fewer columns, or use offset where there is one.`,
    };
    const text = toJson({ ...others, rows: shown, ...more });
    if (text.length <= ANSWER_MAX_CHARS || shown.length <= 1) return text;
  }
}

function toJson(value: object): string {
  return JSON.stringify(value, (_, each) =>
    typeof each === 'string' && each.length > TEXT_MAX_CHARS
      ? `${each.slice(0, TEXT_MAX_CHARS).toWellFormed()}…`
      : each,
  );
}
