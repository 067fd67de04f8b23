import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readWrittenAmount } from './written-amount.ts';

describe('a written amount', () => {
  const read = [
    ['29.99', 2, '29.99'],
    ['29,99', 2, '29.99'],
    ['1,234.50', 2, '1234.50'],
    ['1.234,50', 2, '1234.50'],
    ['1 234,50', 2, '1234.50'],
    ['1\u202f234,50', 2, '1234.50'],
    ['1’234.50', 2, '1234.50'],
    ['1,234,567', 2, '1234567'],
    ['1,23,456.00', 2, '123456.00'],
    ['-12,50', 2, '-12.50'],
    ['−12.50', 2, '-12.50'],
    ['1,234', 0, '1234'],
    ['1.234', 0, '1234'],
    ['1.234', 3, '1.234'],
    ['1,234', 3, '1.234'],
    ['1234.567', 2, '1234.567'],
    ['0.125', 2, '0.125'],
    ['5', 2, '5'],
    ['0', 2, '0'],
  ] as const;
  for (const [text, exponent, amount] of read) {
    it(`${text} with ${exponent} decimals is ${amount}`, () =>
      assert.deepEqual(readWrittenAmount(text, exponent), { ok: true, value: amount }));
  }

  for (const text of ['1,234', '1.234', '12,345']) {
    it(`${text} of cents can be read in two ways`, () => {
      const found = readWrittenAmount(text, 2);
      assert.match(found.ok ? found.value : found.error, /^can be read in two ways: write 12?3/);
    });
  }

  for (const text of [
    '',
    'x',
    '1,2,3',
    '1.2.3',
    '1,23,4.00',
    '5 EUR',
    '$5',
    '1e3',
    '.5',
    '5.',
    '--5',
  ]) {
    it(`${JSON.stringify(text)} is none`, () => assert.equal(readWrittenAmount(text, 2).ok, false));
  }
});
