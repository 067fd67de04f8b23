import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findDuplicates, listMembers } from './json-members.ts';

describe('the members of a JSON object', () => {
  const cases = [
    ['keep the digits that a float loses', '{"a":9007199254740993}', [['a', '9007199254740993']]],
    ['keep trailing zeros', '{ "a" : 29.990 }', [['a', '29.990']]],
    [
      'keep duplicates',
      '{"a":1,"a":2}',
      [
        ['a', '1'],
        ['a', '2'],
      ],
    ],
    ['know a name however it is escaped', '{"\\u0061":1}', [['a', '1']]],
    [
      'end at their own comma',
      '{"a":[1,{"x":","}],"b":"}"}',
      [
        ['a', '[1,{"x":","}]'],
        ['b', '"}"'],
      ],
    ],
    [
      'are told from quotes within texts',
      '{"a":"\\"b\\":1","c":2}',
      [
        ['a', '"\\"b\\":1"'],
        ['c', '2'],
      ],
    ],
    ['are none in an empty object', ' { } ', []],
  ] as const;
  for (const [rule, text, members] of cases) {
    it(rule, () =>
      assert.deepEqual(
        listMembers(text).map((member) => [member.name, member.text]),
        members,
      ),
    );
  }

  it('are what JSON.parse finds, whatever the object', () => {
    const names = fc.string({ unit: 'binary' }).filter((name) => name !== '__proto__');
    fc.assert(
      fc.property(fc.dictionary(names, fc.jsonValue()), fc.nat(4), (object, indent) => {
        const text = JSON.stringify(object, undefined, indent);
        const found = listMembers(text).map(({ name, text }) => [name, JSON.parse(text)]);
        assert.deepEqual(found, Object.entries(JSON.parse(text)));
      }),
    );
  });
});

describe('the members of JSON that come twice', () => {
  const cases = [
    ['{"a":1,"b":{"a":1},"c":[{"a":1},{"a":1}],"d":[]}'],
    ['{"a":1,"b":2,"a":3,"\\u0061":4}', '/a'],
    ['{"a":{"b":1,"b":1}}', '/a/b'],
    ['{"a":[7, "{", { "b" : 1 , "b" : 1 }]}', '/a/2/b'],
    ['{"a":{"b":1,"b":1},"a":{"b":1}}', '/a/b', '/a'],
    ['{"a/~":1,"a/~":1}', '/a~1~0'],
  ] as const;
  for (const [text, ...paths] of cases) {
    it(`are ${paths.join(', ') || 'none'} in ${text}`, () =>
      assert.deepEqual(findDuplicates(listMembers(text)), paths));
  }

  it('are none in what was written from values', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) =>
        assert.deepEqual(findDuplicates(listMembers(JSON.stringify(object))), []),
      ),
    );
  });
});
