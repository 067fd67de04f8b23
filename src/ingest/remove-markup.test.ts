import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { removeMarkup } from './remove-markup.ts';

describe('removing markup', () => {
  const cases = [
    ['tags go and their text stays', '<b>bold</b> move', 'bold move'],
    ['the content of a script goes', 'a<script>alert(1)</script>b', 'ab'],
    ['the content of a style goes', 'a<STYLE type="x">p{}</sTyLe>b', 'ab'],
    ['a script that never ends takes the rest', 'a<script>alert(1)', 'a'],
    ['a script with a slash is a script', 'a<script/>alert(1)</script>b', 'ab'],
    ['a script within a script is text of the first', '<script><script></script>b', 'b'],
    ['a close tag in a string ends the script', '<script>"</script>"', '"'],
    ['an attribute may hold a bracket', '<img alt="a>b" src=x>c', 'c'],
    ['a comment goes', 'a<!-- <b> -->b', 'ab'],
    ['a comment that never ends takes the rest', 'a<!-- b', 'a'],
    ['declarations and instructions go', '<!doctype html><?xml version="1"?>a', 'a'],
    ['a tag that never ends goes', 'a<img src=x onerror=alert(1)', 'a'],
    ['a tag hidden by another goes', '<<b>script>alert(1)<</b>/script>', ''],
    ['a tag split by another stays harmless', '<scr<script>ipt>x</script>', 'ipt>x'],
    ['comparisons are text', 'a < b & c', 'a < b & c'],
    ['a lone bracket is text', '5 > 3 and i <3 you', '5 > 3 and i <3 you'],
    ['entities stay entities', '&lt;b&gt; &amp; &#60;', '&lt;b&gt; &amp; &#60;'],
    ['the content of other elements stays', '<textarea><b>x</b></textarea>', 'x'],
    ['a lone open bracket at the end is text', 'a <', 'a <'],
    ['a comparison without blanks is text', 'a<b', 'a<b'],
    ['comparisons are text though one could be a tag', 'x<y and y<z', 'x<y and y<z'],
    ['what a tag hid is text when no tag is left', '<i>a</i><b', 'a<b'],
    ['a script that is cut off goes', 'a<script src', 'a'],
    ['a close tag that is cut off goes', 'a</b', 'a'],
    ['a name with a digit first is no tag', '1<2 and 3>2', '1<2 and 3>2'],
  ] as const;
  for (const [rule, text, without] of cases) {
    it(rule, () => assert.equal(removeMarkup(text), without));
  }

  const markup = fc
    .array(
      fc.constantFrom(
        ...[
          '<',
          '>',
          '/',
          '!',
          '--',
          '?',
          '"',
          '=',
          '&',
          ';',
          ' ',
          'a',
          'script',
          'style',
          'b',
          '[CDATA[',
          ']]',
          'lt',
          '\n',
          'title',
          'xmp',
          'plaintext',
        ],
      ),
      { maxLength: 24 },
    )
    .map((parts) => parts.join(''));

  it('leaves nothing to remove', () => {
    fc.assert(
      fc.property(markup, (text) => {
        const once = removeMarkup(text);
        assert.equal(removeMarkup(once), once);
        assert.doesNotMatch(once, /<[a-z/!?][\s\S]*>/i);
      }),
      { numRuns: 2_000 },
    );
  });

  it('leaves text without an open bracket as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const plain = text.replaceAll('<', '');
        assert.equal(removeMarkup(plain), plain);
      }),
    );
  });
});
