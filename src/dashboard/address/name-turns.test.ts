import assert from 'node:assert/strict';
import { it } from 'node:test';
import { nameEncodedTurns, nameTurns, restoreTurns } from './name-turns.ts';

const TURNS = '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069';
const NAMED =
  '\u2039LRE\u203a\u2039RLE\u203a\u2039PDF\u203a\u2039LRO\u203a\u2039RLO\u203a\u2039LRI\u203a\u2039RLI\u203a\u2039FSI\u203a\u2039PDI\u203a';

it('characters that turn the text beside them are written out, and restored in bodies and URLs', () => {
  assert.equal(nameTurns(`a${TURNS}b`), `a${NAMED}b`);
  assert.equal(restoreTurns(`a${NAMED}b`), `a${TURNS}b`);
  assert.equal(
    nameEncodedTurns(`?f=${encodeURIComponent(TURNS)}&q=%E2%80%9C`),
    `?f=${NAMED}&q=%E2%80%9C`,
  );
  assert.equal(restoreTurns(encodeURIComponent(`a${NAMED}b`)), encodeURIComponent(`a${TURNS}b`));
});

it('other texts stay as they are, Arabic and Hebrew ones too', () => {
  for (const text of ['\u2039TEA\u203a', 'spring', '\u062d\u0645\u0644\u0629', '\u05d0\u200f!']) {
    assert.equal(nameTurns(text), text);
    assert.equal(restoreTurns(text), text);
  }
});
