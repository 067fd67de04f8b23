/** A percent-encoded text decoded once; unchanged if it only looks encoded. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
