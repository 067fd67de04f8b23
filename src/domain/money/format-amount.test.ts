import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatAmount } from './format-amount.ts';

describe('formatting an amount', () => {
  const cases = [
    ['writes all decimals', 2990n, 2, '29.90'],
    ['writes a zero before the point', 5n, 2, '0.05'],
    ['writes zero with its decimals', 0n, 2, '0.00'],
    ['writes no point without decimals', 3000n, 0, '3000'],
    ['writes three decimals', 1234n, 3, '1.234'],
    ['puts the minus in front', -5n, 2, '-0.05'],
    ['is exact beyond what a float holds', 900719925474099312n, 2, '9007199254740993.12'],
  ] as const;
  for (const [rule, amountMinor, exponent, text] of cases) {
    it(rule, () => assert.equal(formatAmount(amountMinor, { code: 'EUR', exponent }), text));
  }
});
