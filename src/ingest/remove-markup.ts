import { Tokenizer } from 'htmlparser2';

/**
 * The text without its markup: tags, comments and declarations go, and with `script` and `style`
 * their content. Everything else stays as it was: `a < b & c` and `5 > 3` are text.
 *
 * - Shape: entities are not decoded, as `&lt;b&gt;` must not turn into markup. What is left may be
 *   empty. A tag that never ends goes too, as what follows it elsewhere might end it.
 * - Why a tokeniser: browsers find tags with the same state machine, patterns do not. Nothing is
 *   escaped here; whoever shows the text escapes it.
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
  let name = '';
  let silent: string | undefined;
  const tokenizer = new Tokenizer(
    { xmlMode: false, decodeEntities: false },
    {
      ontext(start, end) {
        if (silent === undefined) kept += text.slice(start, end);
      },
      onopentagname(start, end) {
        name = text.slice(start, end).toLowerCase();
      },
      onopentagend() {
        if (name === 'script' || name === 'style') silent ??= name;
      },
      onclosetag(start, end) {
        if (text.slice(start, end).toLowerCase() === silent) silent = undefined;
      },
      onselfclosingtag() {
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
  return kept;
}

function nothing(): void {}
