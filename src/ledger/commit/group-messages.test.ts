import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { LedgerEntry, LedgerOutcome } from './commit-entries.ts';
import { packGroup, packOutcomes, unpackGroup, unpackOutcomes } from './group-messages.ts';

const text = fc.string({ unit: 'binary' });
const payment: fc.Arbitrary<LedgerEntry> = fc.record({
  kind: fc.constant('payment' as const),
  siteId: text,
  report: fc.record(
    {
      transactionId: text,
      amountMinor: fc.bigInt(0n, 2n ** 63n - 1n),
      currency: text,
      email: text,
      renewal: fc.boolean(),
      refunded: fc.boolean(),
      paidAt: fc.integer(),
      receivedAt: fc.maxSafeNat(),
    },
    {
      requiredKeys: [
        'transactionId',
        'amountMinor',
        'currency',
        'renewal',
        'refunded',
        'receivedAt',
      ],
    },
  ),
  claim: fc.record({ key: text, bodyDigest: text, answer: text, subject: text }),
});
const other: fc.Arbitrary<LedgerEntry> = fc.record({
  kind: fc.constant('key_use' as const),
  keyId: text,
  usedAt: fc.nat(),
});
const outcome: fc.Arbitrary<LedgerOutcome> = fc.oneof(
  fc.constantFrom({ kind: 'recorded' as const }, { kind: 'unchanged' as const }),
  fc.record({ kind: fc.constant('replayed' as const), answer: text }),
);

/** Without the generator's objects of no prototype. */
const plain = <T>(value: T): T => structuredClone(value);

describe('the messages between the web process and the thread that commits', () => {
  it('preserve every entry of a group, with exact amounts', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.array(payment), fc.array(fc.oneof(payment, other))),
        (entries: LedgerEntry[]) => {
          assert.deepEqual(unpackGroup(structuredClone(packGroup(entries))), plain(entries));
        },
      ),
    );
  });

  it('omit a missing claim', () => {
    const [entry] = fc.sample(payment, 1);
    const [read] = unpackGroup(packGroup([{ ...entry, claim: undefined } as LedgerEntry]));
    assert.equal((read as { claim?: unknown }).claim, undefined);
  });

  it('preserve every outcome in order', () => {
    fc.assert(
      fc.property(fc.array(outcome), (outcomes) => {
        assert.deepEqual(unpackOutcomes(structuredClone(packOutcomes(outcomes))), plain(outcomes));
      }),
    );
  });
});
