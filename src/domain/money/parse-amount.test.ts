import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { CURRENCIES, findCurrency } from './currencies.ts';
import { formatAmount } from './format-amount.ts';
import { MAX_AMOUNT, parseAmount } from './parse-amount.ts';

function parse(text: string, code: string) {
  const currency = findCurrency(code);
  assert.ok(currency !== undefined);
  return parseAmount(text, currency);
}

describe('parsing an amount', () => {
  const amounts = [
    ['is exact where a float is not', '29.99', 'USD', 2999n],
    ['takes whole units', '30', 'USD', 3000n],
    ['takes zero, as for a free trial', '0', 'USD', 0n],
    ['takes every zero for zero', '-0.000e400', 'USD', 0n],
    ['knows a currency without decimals', '3000', 'JPY', 3000n],
    ['knows a currency with three', '1.234', 'KWD', 1234n],
    ['knows a currency with four', '1.2345', 'CLF', 12345n],
    ['does not count zeros at the end', '29.990', 'USD', 2999n],
    ['does not count zeros at the end of yen', '3000.00', 'JPY', 3000n],
    ['reads an exponent', '2.5e3', 'JPY', 2500n],
    ['reads a bare exponent', '1e2', 'USD', 10000n],
    ['reads a plus', '1E+2', 'USD', 10000n],
    ['reads a negative exponent', '2999e-2', 'USD', 2999n],
    ['reads a negative exponent that zeros make good', '12000e-4', 'USD', 120n],
    ['keeps the digits that a float would lose', '999999999999.99', 'USD', 99999999999999n],
    ['takes the largest amount', '1000000000000', 'USD', 100000000000000n],
    ['takes the largest amount of four decimals', '1e12', 'CLF', 10000000000000000n],
  ] as const;
  for (const [rule, text, code, amountMinor] of amounts) {
    it(`${rule}: ${text} ${code}`, () => {
      assert.deepEqual(parse(text, code), {
        ok: true,
        value: { minor: amountMinor, isRounded: false },
      });
    });
  }

  const rounded = [
    ['29.999', 'USD', 3000n],
    ['29.994', 'USD', 2999n],
    ['29.995', 'USD', 3000n],
    ['29.990000000000000000000001', 'USD', 2999n],
    ['0.5', 'JPY', 1n],
    ['0.49', 'JPY', 0n],
    ['0.05', 'JPY', 0n],
    ['1.2345', 'KWD', 1235n],
    ['1e-999999999999999999999', 'USD', 0n],
    ['1000000000000.001', 'USD', 100000000000000n],
  ] as const;
  for (const [text, code, minor] of rounded) {
    it(`rounds ${text} ${code} half up`, () => {
      assert.deepEqual(parse(text, code), { ok: true, value: { minor, isRounded: true } });
    });
  }

  const refusals = [
    ['1000000000000.005', 'USD', 'too_large'],
    [`${'9'.repeat(50_000)}.999`, 'USD', 'too_large'],
    ['-1', 'USD', 'negative'],
    ['-0.01', 'USD', 'negative'],
    ['1000000000000.01', 'USD', 'too_large'],
    ['1e13', 'USD', 'too_large'],
    ['1e400', 'USD', 'too_large'],
    ['1e999999999999999999999', 'USD', 'too_large'],
    ['9'.repeat(50_000), 'USD', 'too_large'],
    ['', 'USD', 'not_a_number'],
    ['1,5', 'USD', 'not_a_number'],
    ['.5', 'USD', 'not_a_number'],
    ['5.', 'USD', 'not_a_number'],
    ['01', 'USD', 'not_a_number'],
    ['+1', 'USD', 'not_a_number'],
    ['1e', 'USD', 'not_a_number'],
    ['0x10', 'USD', 'not_a_number'],
    ['NaN', 'USD', 'not_a_number'],
    ['١', 'USD', 'not_a_number'],
    [' 1', 'USD', 'not_a_number'],
    ['1\n', 'USD', 'not_a_number'],
  ] as const;
  for (const [text, code, refusal] of refusals) {
    it(`refuses ${JSON.stringify(text.slice(0, 30))} ${code} as ${refusal}`, () => {
      assert.deepEqual(parse(text, code), { ok: false, error: refusal });
    });
  }

  it('reads back whatever formatting wrote, in every currency', () => {
    fc.assert(
      fc.property(fc.constantFrom(...CURRENCIES), fc.bigInt(0n, MAX_AMOUNT), (currency, minor) => {
        const text = formatAmount(minor, currency);
        assert.deepEqual(parseAmount(text, currency), {
          ok: true,
          value: { minor, isRounded: false },
        });
      }),
    );
  });

  it('does not depend on how a number is written', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 14n), fc.nat(20), (minor, shift) => {
        const padded = `${minor}${'0'.repeat(shift)}e-${shift + 2}`;
        assert.deepEqual(parse(padded, 'USD'), { ok: true, value: { minor, isRounded: false } });
      }),
    );
  });
});
