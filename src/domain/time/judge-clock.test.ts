import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAY_MS, HOUR_MS } from './durations.ts';
import { type ClockNote, type ClockReading, earliestNow, judgeClock } from './judge-clock.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const UPTIME = 10 * DAY_MS;

/** What is read `laterMs` after NOW by a clock that is wrong by `wrongMs`. */
const later = (laterMs: number, wrongMs = 0): ClockReading => ({
  at: NOW + laterMs + wrongMs,
  uptimeMs: UPTIME + laterMs,
});
/** What is read by a right clock once the machine was off, and on again for a minute. */
const afterReboot = (laterMs: number, wrongMs = 0): ClockReading => ({
  at: NOW + laterMs + wrongMs,
  uptimeMs: 60_000,
});

/** Whether the clock is trusted at each of the readings, one after the other. */
function judgeAll(readings: readonly ClockReading[], first: ClockNote = { trusted: later(0) }) {
  let note = first;
  return readings.map((reading) => {
    const verdict = judgeClock(note, reading);
    note = verdict.note;
    return verdict.isTrusted;
  });
}

describe('a clock', () => {
  const cases: readonly (readonly [string, readonly ClockReading[], readonly boolean[]])[] = [
    ['is trusted while it goes on evenly', [later(1_000), later(90 * DAY_MS)], [true, true]],
    [
      'is not while it is two months ahead, and is as soon as it is back',
      [later(1_000, 60 * DAY_MS), later(20_000, 60 * DAY_MS), later(21_000)],
      [false, false, true],
    ],
    [
      'is not while it is behind, as a step forward is as far as one ahead',
      [later(1_000, -60 * DAY_MS), later(20_000)],
      [false, true],
    ],
    [
      'that leapt is trusted once it has run evenly for six hours',
      [
        later(1_000, 60 * DAY_MS),
        later(6 * HOUR_MS, 60 * DAY_MS),
        later(6 * HOUR_MS + 1_000, 60 * DAY_MS),
      ],
      [false, false, true],
    ],
    [
      'that leaps again begins anew',
      [later(0, 60 * DAY_MS), later(5 * HOUR_MS, 90 * DAY_MS), later(7 * HOUR_MS, 90 * DAY_MS)],
      [false, false, false],
    ],
    ['may be set by less than an hour', [later(1_000, HOUR_MS - 1), later(2_000)], [true, true]],
    ['is trusted after a quick restart of the machine', [afterReboot(10 * 60_000)], [true]],
    [
      'that is months ahead after a restart is not',
      [afterReboot(10 * 60_000, 60 * DAY_MS)],
      [false],
    ],
    [
      'of a machine that was off for months is trusted after six hours',
      [
        afterReboot(90 * DAY_MS),
        { at: NOW + 90 * DAY_MS + 6 * HOUR_MS, uptimeMs: 60_000 + 6 * HOUR_MS },
      ],
      [false, true],
    ],
  ];
  for (const [rule, readings, trusted] of cases) {
    it(rule, () => assert.deepEqual(judgeAll(readings), trusted));
  }

  it('of which nothing is known is trusted after six hours', () => {
    assert.deepEqual(judgeAll([later(0), later(HOUR_MS), later(6 * HOUR_MS)], {}), [
      false,
      false,
      true,
    ]);
  });

  it('that leapt proves the age of nothing older until it has run evenly for that long', () => {
    const leaps = [later(0, 60 * DAY_MS), later(6 * HOUR_MS, 60 * DAY_MS)];
    const back = [later(7 * HOUR_MS), later(13 * HOUR_MS)];
    const readBy = (readings: readonly ClockReading[]) =>
      readings.reduce<ClockNote>((note, each) => judgeClock(note, each).note, {
        trusted: later(0),
      });
    const ahead = readBy(leaps);
    assert.equal(earliestNow(ahead, NOW + 61 * DAY_MS, 30 * DAY_MS), NOW + DAY_MS);
    assert.equal(earliestNow(ahead, NOW + 90 * DAY_MS, 30 * DAY_MS), NOW + 90 * DAY_MS);
    assert.equal(earliestNow(ahead, NOW + 61 * DAY_MS, 0), NOW + 61 * DAY_MS);
    const returned = readBy([...leaps, ...back]);
    assert.equal(earliestNow(returned, NOW + DAY_MS, 30 * DAY_MS), NOW - 59 * DAY_MS);
  });

  it('is as far ahead as it says', () => {
    assert.equal(judgeClock({ trusted: later(0) }, later(HOUR_MS, 2 * DAY_MS)).aheadMs, 2 * DAY_MS);
  });
});
