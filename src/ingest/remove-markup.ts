import { Tokenizer } from 'htmlparser2';

/**
 * Removes markup from a text: tags, comments, declarations, and the content of `script` and `style`.
 * Everything else stays unchanged: `a < b & c` and `5 > 3` are text.
 *
 * - Shape: entities are not decoded, because `&lt;b&gt;` must not turn into markup. The result may be
 *   empty. An unclosed tag counts as text if it would be harmless once closed: `a<b` stays,
 *   `<img src=x` is removed.
 * - Why a tokenizer: browsers use the same state machine; regular expressions cannot match it.
 * - Nothing is escaped here. The page that shows the text escapes it.
 */
export function removeMarkup(text: string): string {
  let before = text;
  // Repeat until nothing changes: removing the tag from `<<b>script>` leaves another tag.
  for (let times = 0; before.includes('<') && times < TIMES_MAX; times += 1) {
    const after = removeOnce(before);
    if (after === before) return before;
    before = after;
  }
  return before.replaceAll('<', '');
}

/** Deeper tags are an attempt to keep the server busy. */
const TIMES_MAX = 5;

function removeOnce(text: string): string {
  let kept = '';
  /** Everything before this is text or a complete tag. */
  let readTo = 0;
  let name = '';
  /** The open `script` or `style`, whose content is dropped. */
  let skipped: string | undefined;
  const endTag = (end: number) => {
    readTo = end + 1;
    if (name === 'script' || name === 'style') skipped ??= name;
  };
  const tokenizer = new Tokenizer(
    { xmlMode: false, decodeEntities: false },
    {
      ontext(start, end) {
        if (skipped === undefined) kept += text.slice(start, end);
        readTo = end;
      },
      onopentagname(start, end) {
        name = text.slice(start, end).toLowerCase();
      },
      onopentagend: endTag,
      onselfclosingtag: endTag, // HTML ignores the slash of `<script/>`.
      onclosetag(start, end) {
        readTo = text.indexOf('>', end) + 1 || text.length;
        if (text.slice(start, end).toLowerCase() === skipped) skipped = undefined;
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
  return skipped === undefined && HARMLESS_OPEN_TAG.test(rest) ? kept + rest : kept;
}

/** An unclosed tag without attribute values that is neither `script` nor `style`. */
const HARMLESS_OPEN_TAG = /^<(?!script|style)[a-z][^=>]*$/i;

function nothing(): void {}

/** Removes markup from all values. Uses entries, because a property may be called `__proto__`. */
export function removeMarkupOf(
  properties: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [name, removeMarkup(value)]),
  );
}
