import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareWith, pairBuckets, previousPeriod, yearBefore } from './compared-periods.ts';
import { parsePeriod } from './parse-period.ts';

function before(from: string, to: string, timeZone = 'Europe/Berlin', by?: string): string[] {
  const period = { startsAt: Date.parse(from), endsAt: Date.parse(to), timeZone };
  const { startsAt, endsAt } = yearBefore(period, by);
  return [startsAt, endsAt].map((at) => new Date(at).toISOString());
}

describe('the year before', () => {
  it('has the same days, whatever clocks did meanwhile', () => {
    // In 2026 clocks change on 29 March, in 2025 on the 30th.
    assert.deepEqual(before('2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'), [
      '2025-03-28T23:00:00.000Z',
      '2025-03-29T23:00:00.000Z',
    ]);
  });
  it('has the same weekdays where they are asked for, also of hours', () => {
    const hours = ['2026-03-31T06:30:00Z', '2026-04-01T06:30:00Z'] as const;
    assert.deepEqual(before(...hours, 'Europe/Berlin', 'same_weekdays'), [
      '2025-04-01T06:30:00.000Z',
      '2025-04-02T06:30:00.000Z',
    ]);
  });
  it('has no 29 February', () => {
    assert.deepEqual(before('2024-02-29T00:00:00Z', '2024-03-01T00:00:00Z', 'UTC'), [
      '2023-02-28T00:00:00.000Z',
      '2023-03-01T00:00:00.000Z',
    ]);
  });
});

/** A keyword's period as asked at that time, and what it is compared with: `from` and `to` in its zone. */
function compared(range: string, at: string, timeZone: string, before = previousPeriod): string[] {
  const now = Temporal.ZonedDateTime.from(`${at}[${timeZone}]`).epochMilliseconds;
  const period = parsePeriod(range, { now, timeZone });
  assert.ok(period.ok);
  const { part } = compareWith(before(period.value), period.value, now);
  return [part.startsAt, part.endsAt].map((instant) =>
    new Temporal.ZonedDateTime(BigInt(instant) * 1_000_000n, timeZone).toPlainDateTime().toString(),
  );
}

describe('a period that is not over', () => {
  const cases = [
    [
      'today',
      '2026-11-26T09:29:59.5',
      'Europe/Berlin',
      '2026-11-25T00:00:00',
      '2026-11-25T09:30:00',
    ],
    ['7d', '2026-11-26T09:30', 'Europe/Berlin', '2026-11-13T00:00:00', '2026-11-19T09:30:01'],
    ['7d', '2026-11-26T23:45', 'Asia/Kolkata', '2026-11-13T00:00:00', '2026-11-19T23:45:01'],
    ['month', '2026-11-10T12:00', 'UTC', '2026-10-02T00:00:00', '2026-10-11T12:00:01'],
    // The day had 25 hours, the one before 24; and the other way round. Lord Howe's clocks change by half an hour.
    ['today', '2026-10-25T12:00', 'Europe/Berlin', '2026-10-24T00:00:00', '2026-10-24T12:00:01'],
    ['today', '2026-03-30T12:00', 'Europe/Berlin', '2026-03-29T00:00:00', '2026-03-29T12:00:01'],
    [
      'today',
      '2026-04-05T12:00',
      'Australia/Lord_Howe',
      '2026-04-04T00:00:00',
      '2026-04-04T12:00:01',
    ],
    // 2:30 is skipped on the day before.
    ['today', '2026-03-30T02:30', 'Europe/Berlin', '2026-03-29T00:00:00', '2026-03-29T03:30:01'],
  ] as const;
  for (const [range, now, zone, from, to] of cases) {
    it(`is compared with the same part of the one before: ${range} at ${now} in ${zone}`, () => {
      assert.deepEqual(compared(range, now, zone), [from, to]);
    });
  }
  it('is compared with the same part of the year before', () => {
    const range = compared('year', '2026-03-05T08:00', 'UTC', (period) => yearBefore(period));
    assert.deepEqual(range, ['2025-01-01T00:00:00', '2025-03-05T08:00:01']);
  });
  it('that lasts until now is compared with all of the one before', () => {
    const day = ['2026-11-24T09:30:01', '2026-11-25T09:30:01'];
    assert.deepEqual(compared('24h', '2026-11-26T09:30', 'UTC'), day);
  });
  it('that has not begun is compared with next to nothing', () => {
    const period = { startsAt: 10_000, endsAt: 20_000, timeZone: 'UTC' };
    const { part } = compareWith(previousPeriod(period), period, 5_000);
    assert.deepEqual(part, { startsAt: 0, endsAt: 1, timeZone: 'UTC' });
  });
});

describe('a bucket', () => {
  it('has no counterpart beyond the part that counts', () => {
    const day = (date: string) => Date.parse(`${date}T00:00Z`);
    const period = { startsAt: day('2026-11-19'), endsAt: day('2026-11-26'), timeZone: 'UTC' };
    const compared = compareWith(previousPeriod(period), period, day('2026-11-20') + 1);
    const pairs = pairBuckets(period, compared, 'day');
    assert.equal(pairs.length, 7);
    assert.deepEqual(pairs.slice(0, 3), [
      [day('2026-11-19'), day('2026-11-12')],
      [day('2026-11-20'), day('2026-11-13')],
      [day('2026-11-21'), undefined],
    ]);
  });
});
