/** The parameters with texts by name; empty ones are left out. */
export function withTexts(
  params: URLSearchParams,
  texts: Readonly<Record<string, string>>,
): URLSearchParams {
  const changed = new URLSearchParams(params);
  for (const [name, text] of Object.entries(texts)) {
    if (text === '') changed.delete(name);
    else changed.set(name, text);
  }
  return changed;
}
