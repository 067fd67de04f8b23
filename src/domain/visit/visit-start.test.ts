import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { HOUR_MS, MINUTE_MS } from '../time/durations.ts';
import { findVisitStart } from './visit-start.ts';

const NOW = Date.UTC(2026, 10, 21, 12);

/** A visit that began five minutes ago, seen by a clock that is wrong by so much. */
function seenWith(skewMs: number, latencyMs = 0) {
  return findVisitStart({
    mintedAt: NOW - 5 * MINUTE_MS + skewMs,
    sentAt: NOW + skewMs - latencyMs,
    receivedAt: NOW,
    occurredAt: NOW,
  });
}

describe('the start of a visit', () => {
  const cases = [
    ['is when its id was made', 0, -5 * MINUTE_MS],
    ['leaves a clock alone that is under 10 minutes fast', 9 * MINUTE_MS, 4 * MINUTE_MS],
    ['leaves a clock alone that is under 10 minutes slow', -9 * MINUTE_MS, -14 * MINUTE_MS],
    ['takes out 10 minutes of 13', 13 * MINUTE_MS, -2 * MINUTE_MS],
    ['takes out a year', 365 * 24 * HOUR_MS, -5 * MINUTE_MS],
    ['takes out two days of a slow clock', -48 * HOUR_MS, -5 * MINUTE_MS],
  ] as const;
  for (const [rule, skewMs, startMs] of cases) {
    it(rule, () => assert.equal(seenWith(skewMs), NOW + startMs));
  }

  it('is the same for all events of a visit, however long each was under way', () => {
    const skews = fc
      .integer({ min: -1_000, max: 1_000 })
      .map((n) => n * 10 * MINUTE_MS + 5 * MINUTE_MS);
    fc.assert(
      fc.property(skews, fc.nat(4 * MINUTE_MS), (skewMs, latencyMs) => {
        assert.equal(seenWith(skewMs, latencyMs), seenWith(skewMs));
      }),
    );
  });

  it('is unknown when it is more than a day from the event', () => {
    const clock = { sentAt: NOW, receivedAt: NOW, occurredAt: NOW };
    assert.equal(findVisitStart({ ...clock, mintedAt: NOW - 25 * HOUR_MS }), undefined);
    assert.equal(findVisitStart({ ...clock, mintedAt: NOW + 25 * HOUR_MS }), undefined);
    assert.equal(findVisitStart({ ...clock, mintedAt: 0 }), undefined);
  });

  it('is taken as it is from a sender that sends no clock', () => {
    const clock = { mintedAt: NOW - HOUR_MS, sentAt: undefined, receivedAt: NOW + HOUR_MS };
    assert.equal(findVisitStart({ ...clock, occurredAt: NOW }), NOW - HOUR_MS);
  });
});
