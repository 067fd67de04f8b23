/** Kinds of identifier that can show that two visitors are the same customer. */
export type IdentityKind = 'visitor' | 'user' | 'customer' | 'email';

/** What programs send when they have no id, in lower case. Many visitors share it. */
const NO_ID =
  /^(?:-|-1|0+(?:-0+)*|anon|anonymous|default|email|false|guest|id|n\/?a|nan|nil|none|null|test|true|undefined|unknown|(?:customer|user|visitor)(?:_?id)?|\(none\)|\(not set\)|\[object object\])?$/;
const NO_EMAIL =
  /^(?:anonymous|guest|no-?reply|none|null|test|unknown)@(?:example|guest|none|null|test|unknown)\.com$/;

/** Templates that nobody filled, in lower case: the marks of template languages around or within an id. */
const TEMPLATE = new RegExp(
  [
    String.raw`\{\{.*\}\}|[$#@]\{.*\}|\{[%!].*\}|<%.*%>|\*\|.*\|\*`, // {{user.id}}, ${userId}, {!Id}, <%= id %>, *|EMAIL|*
    String.raw`\{(?:[a-z_][a-z_ .:-]*|\d\d?)\}|%[a-z_.]{3,}%|%\(\w+\)s`, // {user_id}, {0}, %USER_ID%, %(id)s
    String.raw`^(?:<[a-z][a-z_ .:-]*>|\[\[?[a-z][a-z_ .:-]*\]?\]|__[a-z_]+__|%[sd@])$`, // <user_id>, [user_id], %s
    '^your[_ -](?:[a-z]+[_ -])?(?:id|email)$', // YOUR_USER_ID
  ].join('|'),
);

/**
 * Whether a key is a placeholder. Placeholder keys never join visitors to a person.
 *
 * - Shape: ignores case, whitespace and quotes around it, and the mark of a variable before it (`$user_id`).
 *   An e-mail address without a name, `@` and host is a placeholder.
 */
export function isPlaceholderKey(kind: IdentityKind, key: string): boolean {
  const text = key.toLowerCase().replace(/^[\s"'`“”‘’\\$:]+|[\s"'`“”‘’\\]+$/g, '');
  if (NO_ID.test(text) || TEMPLATE.test(key.toLowerCase())) return true;
  return kind === 'email' && (!/.@./.test(text) || NO_EMAIL.test(text));
}
