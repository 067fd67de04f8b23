import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toOwnPage } from './own-page.ts';

const ORIGIN = 'https://figures.example';

describe('the page to return to', () => {
  const own = [
    '/',
    '/tea.example?period=7d#top',
    '/a//b',
    '/\u2028/evil',
    '/a\u2029\u0085b',
    '/\u0000',
    `${ORIGIN}/tea.example`,
  ];
  for (const next of own) {
    it(`is ${JSON.stringify(next)}, which is on this server`, () => {
      const page = toOwnPage(next, ORIGIN);
      assert.equal(new URL(page, ORIGIN).href, new URL(next, ORIGIN).href);
      assert.match(page, /^\/[\x21-\x7e]*$/, 'a header can carry it');
    });
  }

  const foreign = [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '\n//evil.example',
    '/\r\n/evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/%2e//evil.example',
    'javascript:alert(1)',
    'https://figures.example@evil.example/',
    'http://figures.example/',
    'http://[',
  ];
  for (const next of foreign) {
    it(`is on this server, not at ${JSON.stringify(next)}`, () => {
      const page = toOwnPage(next, ORIGIN);
      assert.equal(new URL(page, ORIGIN).origin, ORIGIN);
      assert.match(page, /^\/(?!\/)/);
    });
  }
});
