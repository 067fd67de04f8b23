/** Formats an instant as ISO 8601; null if there is none. */
export function toIsoOrNull(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString();
}
