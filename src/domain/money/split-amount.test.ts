import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { splitAmount } from './split-amount.ts';

describe('splitting an amount', () => {
  const cases = [
    ['the odd cent goes to the earliest of equals', 100n, [1, 1, 1], [34n, 33n, 33n]],
    ['40 : 20 : 40 splits $10.00 exactly', 1000n, [2, 1, 2], [400n, 200n, 400n]],
    ['a refund takes back what the sale gave', -100n, [1, 1, 1], [-34n, -33n, -33n]],
    ['a weight of zero receives nothing', -99n, [1, 0, 1], [-50n, 0n, -49n]],
    ['nothing splits into nothing', 0n, [1, 2], [0n, 0n]],
  ] as const;
  for (const [rule, amountMinor, weights, parts] of cases) {
    it(rule, () => assert.deepEqual(splitAmount(amountMinor, weights), parts));
  }

  const weightLists = fc
    .array(fc.oneof(fc.nat(10_000), fc.maxSafeNat()), { minLength: 1 })
    .filter((weights) => weights.some((weight) => weight > 0));

  it('never makes or loses a cent', () => {
    fc.assert(
      fc.property(fc.bigInt(), weightLists, (amountMinor, weights) => {
        const sum = splitAmount(amountMinor, weights).reduce((total, part) => total + part, 0n);
        assert.equal(sum, amountMinor);
      }),
    );
  });

  it('keeps every part within one minor unit of its exact share', () => {
    fc.assert(
      fc.property(fc.bigInt(), weightLists, (amountMinor, weights) => {
        const total = weights.reduce((sum, weight) => sum + BigInt(weight), 0n);
        for (const [index, part] of splitAmount(amountMinor, weights).entries()) {
          const error = part * total - amountMinor * BigInt(weights[index] ?? 0);
          assert.ok(error < total && error > -total);
        }
      }),
    );
  });

  it('throws on weights that share nothing out', () => {
    assert.throws(() => splitAmount(100n, [0, 0]), /some weight is positive/);
    assert.throws(() => splitAmount(100n, []), /some weight is positive/);
    assert.throws(() => splitAmount(100n, [0.5]), /weights are whole/);
  });
});
