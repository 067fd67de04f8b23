import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { listMembers } from './json-members.ts';

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
