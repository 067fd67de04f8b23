import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { scanObject } from './scan-object.ts';

describe('the number of a JSON object', () => {
  const cases = [
    ['keeps the digits that a float loses', '{"a":9007199254740993}', '9007199254740993'],
    ['keeps trailing zeros', '{ "a" : 29.990 }', '29.990'],
    ['keeps its exponent', '{"b":[],"a":-1.5E+3,"c":1}', '-1.5E+3'],
    ['is the first of two', '{"a":1,"a":2}', '1'],
    ['is found however its name is escaped', '{"\\u0061":1}', '1'],
    ['is not that of an object within', '{"b":{"a":1},"c":[{"a":2}]}', undefined],
    ['is not within a text', '{"b":"\\"a\\":1","a":2}', '2'],
    ['is none when it is a text', '{"a":"1"}', undefined],
    ['is none in an empty object', ' { } ', undefined],
  ] as const;
  for (const [rule, text, number] of cases) {
    it(rule, () => assert.equal(scanObject(text, 'a').numberTexts.get('/a'), number));
  }

  it('is found at any depth, the first of its name', () => {
    const { numberTexts } = scanObject('{"c":[{"a":1.0},{"a":"2"},{"a":3,"a":4}],"a":5}', 'a');
    assert.deepEqual(
      [...numberTexts],
      [
        ['/c/0/a', '1.0'],
        ['/c/2/a', '3'],
        ['/a', '5'],
      ],
    );
  });

  it('is what JSON.parse finds, whatever stands around it', () => {
    const dictionary = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue());
    fc.assert(
      fc.property(dictionary, dictionary, fc.double(), fc.nat(4), (before, after, a, indent) => {
        const text = JSON.stringify({ ...before, ...after, a }, undefined, indent);
        const found = scanObject(text, 'a').numberTexts.get('/a');
        assert.equal(found === undefined ? null : Number(found), JSON.parse(text).a);
      }),
    );
  });
});

describe('the members of JSON that come twice', () => {
  const cases = [
    ['{"a":1,"b":{"a":1},"c":[{"a":1},{"a":1}],"d":[]}'],
    ['{"a":1,"b":2,"a":3,"\\u0061":4}', '/a'],
    ['{"a":{"b":1,"b":1}}', '/a/b'],
    ['{"a":{"b":1},"a":{"b":1}}', '/a'],
    ['{"a":[7, "{", { "b" : 1 , "b" : 1 }]}', '/a/2/b'],
    ['{"a":{"b":1,"b":1},"a":{"b":1}}', '/a/b', '/a'],
    ['{"a/~":1,"a/~":1}', '/a~1~0'],
  ] as const;
  for (const [text, ...paths] of cases) {
    it(`are ${paths.join(', ') || 'none'} in ${text}`, () =>
      assert.deepEqual(scanObject(text, 'a').duplicates, paths));
  }

  it('are none in what was written from values', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) =>
        assert.deepEqual(scanObject(JSON.stringify(object), 'a').duplicates, []),
      ),
    );
  });
});
