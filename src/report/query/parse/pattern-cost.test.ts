import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { PATTERN_COST_MAX } from './parse-filter.ts';
import { patternCost } from './pattern-cost.ts';

/** Letters of many scripts, none of them adjacent. */
const FAR_APART = String.fromCodePoint(
  ...Array.from({ length: 200 }, (_, at) => 0x100 + at * 0xab),
);

describe('the cost of a regular expression', () => {
  const cheap = [
    '',
    '^/blog/.*$',
    '(?i)google|bing',
    '[a-z]{2,3}',
    'a{2}{2}',
    '\\d+\\.\\d*',
    '[]a]+',
  ];
  for (const pattern of cheap) {
    it(`of ${pattern} is small`, () => assert.ok(patternCost(pattern) <= 30, pattern));
  }

  it('lets a query have fifty of the usual ones, and ids of any usual form', () => {
    const usual = ['^/blog/[a-z0-9-]+/?$', '(?i)^(www\\.)?google\\.', '/\\d{4}/\\d{2}/.*\\.html$'];
    for (const pattern of usual) assert.ok(50 * patternCost(pattern) <= PATTERN_COST_MAX, pattern);
    const ids = ['[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}', '[A-Za-z0-9_-]{43}', '^.{1,40}$'];
    for (const pattern of ids) assert.ok(patternCost(pattern) <= PATTERN_COST_MAX, pattern);
  });

  const dear = [
    '(\\pL|\\pN|\\pS){300}N',
    '((a{100}){100}){10}',
    '(?:\\p{Greek}{1000})',
    '([\\pL\\pN]{1,500}x){20}',
    '(?P<name>[^a]{1000}){100}',
    '\\PL{1000}',
    `[${FAR_APART}]{700}`,
    'a.{80}z',
    '(.?){30}',
    '(\\pL*!){500}',
    '\\PL*\\pL*'.repeat(7),
    '\\w*\\pL*'.repeat(13),
    '\\p{L}*'.repeat(13),
    '\\pL{0,}'.repeat(13),
    `${'(.*|a)'.repeat(20)}.{60}`,
    '(\\pL*|\\pL)'.repeat(7),
    `[${FAR_APART}]{1000}`,
    `[^${FAR_APART}]{1000}`,
  ];
  for (const pattern of dear) {
    it(`of ${pattern.slice(0, 40)} is large`, () =>
      assert.ok(patternCost(pattern) > PATTERN_COST_MAX, pattern));
  }

  it('is a number of at least 0 for any text, found at once', () => {
    const any = fc.string({
      unit: fc.constantFrom(...'(){}[]|\\pQE:?<*+.^$,0123456789ax', '.*', '.*|', '\\pL*', '{0,}'),
      maxLength: 500,
    });
    fc.assert(fc.property(any, (pattern) => patternCost(pattern) >= 0));
  });
});
