import { decodeAscii } from '../site/mask-secrets.ts';

/** Kinds of identifier that can show that two visitors are the same customer. */
export type IdentityKind = 'visitor' | 'user' | 'customer' | 'email';

/** What programs send when they have no id: signs, a word or a variable, in lower case. Many visitors share it. */
const NO_ID =
  /^(?:[^\p{L}\d]*|-1|0+(?:-0+)*|x[x -]*x|anon|anonymous|default|email|example|false|foo|guest|id|n\/?a|nan|nil|none|null|placeholder|string|tbd|test|todo|true|undefined|unknown|@?(?:account|(?:current[._-]?)?user|customer|member|visitor)(?:(?:[._-]|->|\[\W?)?(?:e?mail|id|uuid)\W{0,2})?|\(none\)|\(not set\)|\[object object\])$/u;
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
 * - Shape: ignores case, percent-encoding, blanks and quotes around it, and the mark of a variable before it (`$id`).
 *   An e-mail address without a name, `@` and host is a placeholder.
 */
export function isPlaceholderKey(kind: IdentityKind, key: string): boolean {
  const plain = decodeAscii(key).toLowerCase();
  const text = plain.replace(/^[\s"'`“”‘’\\$:]+|[\s"'`“”‘’\\]+$/g, '');
  if (NO_ID.test(text) || TEMPLATE.test(plain)) return true;
  return kind === 'email' && (!/.@./.test(text) || NO_EMAIL.test(text));
}
