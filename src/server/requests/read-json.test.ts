import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { DEPTH_MAX, readJson } from './read-json.ts';

describe('reading JSON', () => {
  it('gives back any text that is valid, unless it is too deep', () => {
    const values = fc.jsonValue({ maxDepth: DEPTH_MAX + 2 });
    fc.assert(
      fc.property(values, (value) => {
        const text = JSON.stringify(value);
        const read = () => readJson(Buffer.from(text));
        if (depthOf(value) > DEPTH_MAX) assert.throws(read, /nested deeper/);
        else assert.deepEqual(read(), { text, value: JSON.parse(text) });
      }),
    );
  });

  it('does not count brackets within texts', () => {
    const text = `{"a":"${'[{'.repeat(50)}\\"${'[{'.repeat(50)}"}`;
    assert.equal(readJson(Buffer.from(text)).text, text);
  });

  it('says where a text stops being JSON, and repeats nothing of it', () => {
    const messageOf = (text: string) => {
      try {
        return String(readJson(Buffer.from(text)).value);
      } catch (error) {
        return (error as Error).message;
      }
    };
    assert.equal(messageOf('{"a":1,\n}'), 'The body is not JSON: see line 2, column 1.');
    assert.equal(messageOf('{"a":'), 'The body is not JSON, or ends too early.');
    assert.equal(messageOf('secret'), 'The body is not JSON, or ends too early.');
  });

  it('refuses a megabyte of brackets', () => {
    assert.throws(() => readJson(Buffer.alloc(1024 * 1024, '[')), /nested deeper/);
  });

  it('refuses what is not UTF-8', () => {
    assert.throws(() => readJson(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])), /not UTF-8/);
  });
});

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
