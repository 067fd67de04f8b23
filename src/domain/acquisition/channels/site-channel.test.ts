import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatChannel, parseSiteChannel } from './site-channel.ts';

describe('a channel of a site’s own', () => {
  it('is read from texts, and written as one', () => {
    const parsed = parseSiteChannel('Partners', ['source is Kettle Review', ' medium  is_not ']);
    assert.ok(parsed.ok);
    assert.deepEqual(parsed.value, {
      name: 'Partners',
      where: [
        { field: 'source', op: 'is', value: 'Kettle Review' },
        { field: 'medium', op: 'is_not', value: '' },
      ],
    });
    assert.equal(formatChannel(parsed.value), 'source is Kettle Review and medium is_not');
  });

  const refused: readonly (readonly [name: string, where: readonly string[], why: RegExp])[] = [
    ['', ['source is a'], /name has 1 to 64/],
    [' a', ['source is a'], /name has 1 to 64/],
    ['a\nb', ['source is a'], /name has 1 to 64/],
    ['x'.repeat(65), ['source is a'], /name has 1 to 64/],
    ['a', [], /1 to 10 tests/],
    ['a', Array<string>(11).fill('source is a'), /1 to 10 tests/],
    ['a', ['colour is red'], /"colour is red" is not a test.*source, medium/],
    ['a', ['source equals b'], /is not a test/],
    ['a', ['source'], /is not a test/],
    ['a', ['source contains '], /is not a test/],
    ['a', [`source is ${'x'.repeat(256)}`], /is not a test/],
    ['a', ['constructor is x'], /is not a test/],
  ];
  for (const [name, where, why] of refused) {
    it(`is refused as ${JSON.stringify([name, where]).slice(0, 60)}`, () => {
      const parsed = parseSiteChannel(name, where);
      assert.ok(!parsed.ok);
      assert.match(parsed.error, why);
    });
  }
});
