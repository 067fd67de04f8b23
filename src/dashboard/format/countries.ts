const names = new Map<string, Intl.DisplayNames>();

/** A country's name in the user's language: `DE` is `Germany`; other values stay as they are. */
export function nameCountry(code: string, locale?: string): string {
  const key = locale ?? '';
  const named = names.get(key) ?? new Intl.DisplayNames(locale, { type: 'region' });
  names.set(key, named);
  try {
    return named.of(code) ?? code;
  } catch {
    return code;
  }
}
