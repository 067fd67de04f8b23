/** What can say that two visitors are the same customer. */
export type IdentityKind = 'visitor' | 'user' | 'customer' | 'email';

/** Texts that programs send for want of an id, in lower case. Many visitors have them, no person. */
export const NOBODYS_IDS: ReadonlySet<string> = new Set([
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

/** Addresses that stand in for a real one, in lower case. */
export const NOBODYS_EMAILS: ReadonlySet<string> = new Set([
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
 * Whether a key stands for nobody in particular, so that it joins no visitors to a person.
 *
 * - Shape: blanks around it and its case do not matter; an e-mail address without `@` is none.
 */
export function isNobodysKey(kind: IdentityKind, key: string): boolean {
  const text = key.trim().toLowerCase();
  if (NOBODYS_IDS.has(text)) return true;
  return kind === 'email' && (!text.includes('@') || NOBODYS_EMAILS.has(text));
}
