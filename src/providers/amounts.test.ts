import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  addAmounts,
  type DecimalsOf,
  hundredths,
  isoDecimals,
  processorDecimals,
  readMajor,
  readMinor,
} from './amounts.ts';
import type { JsonValue } from './json.ts';

describe('an amount in minor units', () => {
  const cases: readonly [string, DecimalsOf, JsonValue, string, bigint | RegExp][] = [
    ['has the decimals of ISO 4217', isoDecimals, 2500, 'jpy', 2500n],
    ['may be text', isoDecimals, '2500', 'KWD', 2500n],
    ['may be in hundredths of a currency without any', hundredths, 250_000, 'XOF', 2500n],
    ['may be in hundredths of a currency with thousandths', hundredths, 250, 'KWD', 2500n],
    ['rounds what is less than the smallest coin', hundredths, 250_050, 'XOF', 2501n],
    ['of ariaries has no decimals at processors', processorDecimals, 25, 'MGA', 2500n],
    ['of Ugandan shillings has two at processors', processorDecimals, 500, 'UGX', 5n],
    ['of krónur has two at processors', processorDecimals, 500, 'ISK', 5n],
    ['of forint has two at processors', processorDecimals, 500, 'HUF', 500n],
    ['of yen has none at processors', processorDecimals, 500, 'JPY', 500n],
    ['may be as large as a payment', isoDecimals, '100000000000000', 'EUR', 10n ** 14n],
    ['is not larger', isoDecimals, '100000000000001', 'EUR', /above/],
    ['is whole', isoDecimals, 1.5, 'EUR', /whole/],
    ['is not negative', isoDecimals, -1, 'EUR', /whole/],
    ['is there', isoDecimals, null, 'EUR', /no amount/],
    ['has a currency that is known', isoDecimals, 1, 'XXX', /unknown: "XXX"/],
  ];
  for (const [rule, decimals, value, code, expected] of cases) {
    it(rule, () => {
      const read = readMinor(value, code, decimals);
      if (expected instanceof RegExp) assert.match(read.ok ? '' : read.error, expected);
      else assert.deepEqual(read.ok && read.value.minor, expected);
    });
  }
});

describe('an amount in whole units', () => {
  const cases: readonly [string, JsonValue, string | undefined, bigint | RegExp][] = [
    ['is exact', '29.99', 'EUR', 2999n],
    ['may have more zeros than decimals', '2500.00', 'JPY', 2500n],
    ['may be a number', 29.99, 'EUR', 2999n],
    ['is not negative', '-1.00', 'EUR', /negative: "-1.00"/],
    ['is a number', '1,00', 'EUR', /not a number/],
    ['is not too large', '1e15', 'EUR', /above/],
    ['has a currency', '1', undefined, /no currency/],
  ];
  for (const [rule, value, code, expected] of cases) {
    it(rule, () => {
      const read = readMajor(value, code);
      if (expected instanceof RegExp) assert.match(read.ok ? '' : read.error, expected);
      else assert.deepEqual(read.ok && read.value.minor, expected);
    });
  }

  it('is summed in one currency only, and up to the largest payment', () => {
    const sum = addAmounts([readMajor('1.10', 'EUR'), readMajor('2.20', 'EUR')]);
    assert.deepEqual(sum, { ok: true, value: { minor: 330n, currency: 'EUR' } });
    const mixed = addAmounts([readMajor('1', 'EUR'), readMajor('1', 'USD')]);
    assert.match(mixed.ok ? '' : mixed.error, /EUR and USD/);
    const most = readMajor('1000000000000', 'EUR');
    assert.equal(addAmounts([most]).ok, true);
    assert.equal(addAmounts([most, most]).ok, false);
    assert.equal(addAmounts([]).ok, false);
  });
});
