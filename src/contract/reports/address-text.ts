/** Texts as one; a backslash escapes the commas in them. */
export function joinByComma(texts: readonly string[]): string {
  return texts.map((text) => text.replace(/[\\,]/g, '\\$&')).join();
}

/** What follows a path, with colons, commas and slashes unescaped: people read URLs. */
export function searchOf(params: URLSearchParams): string {
  const text = params.toString().replace(/%(3A|2C|2F)/g, (code) => decodeURIComponent(code));
  return text && `?${text}`;
}
