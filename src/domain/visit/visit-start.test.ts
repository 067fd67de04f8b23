import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findVisitStart } from './visit-start.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = Date.UTC(2026, 10, 21, 12);

/** A visit that began five minutes ago, seen by a clock that is wrong by so much. */
function seenWith(skewMs: number, latencyMs = 0) {
  return findVisitStart({
    mintedAt: NOW - 5 * MINUTE + skewMs,
    sentAt: NOW + skewMs - latencyMs,
    receivedAt: NOW,
    occurredAt: NOW,
  });
}

describe('the start of a visit', () => {
  const cases = [
    ['is when its id was made', 0, -5 * MINUTE],
    ['leaves a clock alone that is under 10 minutes fast', 9 * MINUTE, 4 * MINUTE],
    ['leaves a clock alone that is under 10 minutes slow', -9 * MINUTE, -14 * MINUTE],
    ['takes out 10 minutes of 13', 13 * MINUTE, -2 * MINUTE],
    ['takes out a year', 365 * 24 * HOUR, -5 * MINUTE],
    ['takes out two days of a slow clock', -48 * HOUR, -5 * MINUTE],
  ] as const;
  for (const [rule, skewMs, startMs] of cases) {
    it(rule, () => assert.equal(seenWith(skewMs), NOW + startMs));
  }

  it('is the same for all events of a visit, however long each was under way', () => {
    const skews = fc.integer({ min: -1_000, max: 1_000 }).map((n) => n * 10 * MINUTE + 5 * MINUTE);
    fc.assert(
      fc.property(skews, fc.nat(4 * MINUTE), (skewMs, latencyMs) => {
        assert.equal(seenWith(skewMs, latencyMs), seenWith(skewMs));
      }),
    );
  });

  it('is unknown when it is more than a day from the event', () => {
    const clock = { sentAt: NOW, receivedAt: NOW, occurredAt: NOW };
    assert.equal(findVisitStart({ ...clock, mintedAt: NOW - 25 * HOUR }), undefined);
    assert.equal(findVisitStart({ ...clock, mintedAt: NOW + 25 * HOUR }), undefined);
    assert.equal(findVisitStart({ ...clock, mintedAt: 0 }), undefined);
  });

  it('is taken as it is from a sender that sends no clock', () => {
    const clock = { mintedAt: NOW - HOUR, sentAt: undefined, receivedAt: NOW + HOUR };
    assert.equal(findVisitStart({ ...clock, occurredAt: NOW }), NOW - HOUR);
  });
});
