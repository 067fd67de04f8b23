/** Kinds of identifier that can show that two visitors are the same customer. */
export type IdentityKind = 'visitor' | 'user' | 'customer' | 'email';

/** Values that programs send when they have no id, in lower case. Many visitors share them. */
export const PLACEHOLDER_IDS: ReadonlySet<string> = new Set([
  '',
  '-',
  '-1',
  '0',
  '00000000-0000-0000-0000-000000000000',
  'anon',
  'anonymous',
  'customer',
  'default',
  'false',
  'guest',
  'id',
  'n/a',
  'na',
  'nan',
  'nil',
  'none',
  'null',
  'test',
  'true',
  'undefined',
  'unknown',
  'user',
  'user_id',
  'visitor',
  '(none)',
  '(not set)',
  '[object object]',
]);

/** Placeholder e-mail addresses, in lower case. */
export const PLACEHOLDER_EMAILS: ReadonlySet<string> = new Set([
  'anonymous@example.com',
  'guest@example.com',
  'guest@guest.com',
  'no-reply@example.com',
  'none@example.com',
  'none@none.com',
  'noreply@example.com',
  'null@null.com',
  'test@example.com',
  'test@test.com',
  'unknown@unknown.com',
]);

/**
 * Whether a key is a placeholder. Placeholder keys never join visitors to a person.
 *
 * - Shape: ignores case and surrounding whitespace. An e-mail address without a name, `@` and host is a
 *   placeholder.
 */
export function isPlaceholderKey(kind: IdentityKind, key: string): boolean {
  const text = key.trim().toLowerCase();
  if (PLACEHOLDER_IDS.has(text)) return true;
  return kind === 'email' && (!/.@./.test(text) || PLACEHOLDER_EMAILS.has(text));
}
