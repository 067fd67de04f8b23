import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseExclusions, sortExclusions } from './exclusions.ts';

it('what a site excludes is addresses, countries, paths and hosts', () => {
  const text =
    '203.0.113.7, 10.0.0.0/8 2001:db8::/32 ::1 de /admin/** Staging.example.com localhost';
  assert.deepEqual(sortExclusions(parseExclusions(text) ?? []), {
    addresses: ['203.0.113.7', '10.0.0.0/8', '2001:db8::/32', '::1'],
    ...{ countries: ['DE'], paths: ['/admin/**'], hosts: ['staging.example.com', 'localhost'] },
  });
});

it('nothing else can be excluded', () => {
  const wrong = [
    '',
    '10.0.0.0/33',
    '/a*b',
    'https://a.example',
    'a..example',
    '::1/129',
    '203.0.113.999',
  ];
  for (const text of [...wrong, 'DE '.repeat(51)]) {
    assert.equal(parseExclusions(text), undefined, text);
  }
});
