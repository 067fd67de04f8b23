/** An e-mail address as it is stored and compared: in lower case, without surrounding spaces. */
export function normalizeEmail(text: string): string {
  return text.trim().toLowerCase();
}
