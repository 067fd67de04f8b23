import { Tokenizer } from 'htmlparser2';

/**
 * The text without its markup: tags, comments and declarations go, and with `script` and `style`
 * their content. Everything else stays as it was: `a < b & c` and `5 > 3` are text.
 *
 * - Shape: entities are not decoded, as `&lt;b&gt;` must not turn into markup. What is left may be
 *   empty. A tag that never ends is text when it could do nothing if something ended it elsewhere:
 *   `a<b` stays, `<img src=x` goes.
 * - Why a tokeniser: browsers find tags with the same state machine, patterns do not. Nothing is
 *   escaped here; a page that shows the text escapes it.
 */
export function removeMarkup(text: string): string {
  let before = text;
  // Once more while there is some left: `<<b>script>` without its tag is one.
  while (before.includes('<')) {
    const after = removeOnce(before);
    if (after === before) break;
    before = after;
  }
  return before;
}

function removeOnce(text: string): string {
  let kept = '';
  /** Up to here all is text or a whole tag. */
  let readTo = 0;
  let name = '';
  let silent: string | undefined;
  const tokenizer = new Tokenizer(
    { xmlMode: false, decodeEntities: false },
    {
      ontext(start, end) {
        if (silent === undefined) kept += text.slice(start, end);
        readTo = end;
      },
      onopentagname(start, end) {
        name = text.slice(start, end).toLowerCase();
      },
      onopentagend(end) {
        readTo = end + 1;
        if (name === 'script' || name === 'style') silent ??= name;
      },
      onclosetag(start, end) {
        readTo = text.indexOf('>', end) + 1 || text.length;
        if (text.slice(start, end).toLowerCase() === silent) silent = undefined;
      },
      onselfclosingtag(end) {
        readTo = end + 1;
        // In HTML the slash of `<script/>` means nothing.
        if (name === 'script' || name === 'style') silent ??= name;
      },
      onattribdata: nothing,
      onattribentity: nothing,
      onattribend: nothing,
      onattribname: nothing,
      oncdata: nothing,
      oncomment: nothing,
      ondeclaration: nothing,
      onend: nothing,
      onprocessinginstruction: nothing,
      ontextentity: nothing,
    },
  );
  tokenizer.write(text);
  tokenizer.end();
  const rest = text.slice(readTo);
  return silent === undefined && HARMLESS_OPEN_TAG.test(rest) ? kept + rest : kept;
}

/** No attribute has a value, and no content would be a program or a sheet of styles. */
const HARMLESS_OPEN_TAG = /^<(?!script|style)[a-z][^=>]*$/i;

function nothing(): void {}

/** Properties with the markup of their values removed; the same object when there was none. */
export function removeMarkupOf(
  properties: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  for (const name in properties) {
    if (properties[name]?.includes('<')) return removeFromAll(properties);
  }
  return properties;
}

/** Made of entries, as a property may be called `__proto__`. */
function removeFromAll(properties: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [name, removeMarkup(value)]),
  );
}
