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
  'customer_id',
  'default',
  'email',
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
  'userid',
  'visitor',
  'visitor_id',
  '(none)',
  '(not set)',
  '[object object]',
]);

/** Templates that nobody filled, in lower case: the marks of template languages around or within an id. */
const TEMPLATE = new RegExp(
  [
    String.raw`\{\{.*\}\}|[$#@]\{.*\}|\{[%!].*\}|<%.*%>|\*\|.*\|\*`, // {{user.id}}, ${userId}, {!Id}, <%= id %>, *|EMAIL|*
    String.raw`\{(?:[a-z_][a-z_ .:-]*|\d\d?)\}|%[a-z_.]{3,}%|%\(\w+\)s`, // {user_id}, {0}, %USER_ID%, %(id)s
    String.raw`^(?:<[a-z][a-z_ .:-]*>|\[\[?[a-z][a-z_ .:-]*\]?\]|__[a-z_]+__|%[sd@])$`, // <user_id>, [user_id], %s
    '^your[_ -](?:[a-z]+[_ -])?(?:id|email)$', // YOUR_USER_ID
  ].join('|'),
);

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
 * - Shape: ignores case, whitespace and quotes around it, and the mark of a variable before it (`$user_id`).
 *   An e-mail address without a name, `@` and host is a placeholder.
 */
export function isPlaceholderKey(kind: IdentityKind, key: string): boolean {
  const text = key.toLowerCase().replace(/^[\s"'`“”‘’\\$:]+|[\s"'`“”‘’\\]+$/g, '');
  if (PLACEHOLDER_IDS.has(text) || TEMPLATE.test(key.toLowerCase())) return true;
  return kind === 'email' && (!/.@./.test(text) || PLACEHOLDER_EMAILS.has(text));
}
