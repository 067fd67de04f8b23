import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { convert, findRate } from './convert-money.ts';
import { toRateSpans } from './exchange-rates.ts';
import { parseRates } from './parse-rates.ts';

const minor = fc.bigInt(0n, 10n ** 16n);
const perEuro = fc.integer({ min: 1, max: 2_000_000_000 });

/** The rate from dollars to yen, on a day with these rates to the euro, in millionths. */
function rateOf(usd: number, jpy: number) {
  const text = (millionths: number) => (millionths / 1e6).toFixed(6);
  const table = parseRates(`Date,USD,JPY\n2026-01-02,${text(usd)},${text(jpy)}\n`);
  assert.ok(table.ok);
  const paid = { currency: 'USD', at: Date.parse('2026-01-03T12:00Z') };
  const shown = { currency: 'JPY', timezone: 'UTC' };
  return findRate(paid, shown, (code) => toRateSpans([table.value], code));
}

describe('money that is converted', () => {
  it('is rounded half up, and in parts adds up to the whole', () => {
    fc.assert(
      fc.property(perEuro, perEuro, minor, minor, (usd, jpy, one, other) => {
        const rate = rateOf(usd, jpy);
        const [factor, divisor] = [BigInt(jpy), BigInt(usd) * 100n];
        const exact = (amount: bigint) => {
          const [whole, rest] = [(amount * factor) / divisor, (amount * factor) % divisor];
          return 2n * rest >= divisor ? whole + 1n : whole;
        };
        assert.equal(convert(one, rate), exact(one));
        assert.ok(convert(one + other, rate) >= convert(one, rate));
        assert.deepEqual([rate.ageDays, rate.source], [1, 'ecb']);
      }),
    );
  });
});
