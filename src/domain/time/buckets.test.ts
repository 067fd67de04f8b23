import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { toBucketLabel } from './bucket-label.ts';
import { type BucketUnit, countBucketsAtMost, toBuckets } from './buckets.ts';
import { previousPeriod } from './compared-periods.ts';

function labels(from: string, to: string, unit: BucketUnit, timeZone: string): string[] {
  const period = { startsAt: Date.parse(from), endsAt: Date.parse(to), timeZone };
  return toBuckets(period, unit).map((at) => toBucketLabel(at, unit, timeZone));
}

describe('buckets', () => {
  it('of a day that has 25 hours are 25, the double hour distinguished by its offset', () => {
    const hours = labels('2026-10-24T22:00Z', '2026-10-25T23:00Z', 'hour', 'Europe/Berlin');
    assert.equal(hours.length, 25);
    assert.deepEqual(hours.slice(1, 5), [
      '2026-10-25 01:00:00',
      '2026-10-25 02:00:00+02:00',
      '2026-10-25 02:00:00+01:00',
      '2026-10-25 03:00:00',
    ]);
  });
  it('of a day that has 23 hours skip the missing one', () => {
    const hours = labels('2026-03-28T23:00Z', '2026-03-29T22:00Z', 'hour', 'Europe/Berlin');
    assert.equal(hours.length, 23);
    assert.deepEqual(hours.slice(1, 3), ['2026-03-29 01:00:00', '2026-03-29 03:00:00']);
  });
  it('begin on the half hour of UTC where the zone does', () => {
    assert.deepEqual(labels('2026-11-01T18:30Z', '2026-11-01T20:30Z', 'hour', 'Asia/Kolkata'), [
      '2026-11-02 00:00:00',
      '2026-11-02 01:00:00',
    ]);
  });
  it('follow clocks that change by half an hour', () => {
    assert.deepEqual(
      labels('2026-04-04T14:00Z', '2026-04-04T16:30Z', 'hour', 'Australia/Lord_Howe'),
      ['2026-04-05 01:00:00', '2026-04-05 01:00:00+10:30', '2026-04-05 02:00:00'],
    );
  });
  it('have no day that the zone skipped', () => {
    assert.deepEqual(labels('2011-12-29T12:00Z', '2011-12-31T12:00Z', 'day', 'Pacific/Apia'), [
      '2011-12-29',
      '2011-12-31',
      '2012-01-01',
    ]);
  });
  it('of weeks begin on Monday, of months on the first, and hold the start of the period', () => {
    const [from, to] = ['2026-11-01T00:00Z', '2026-11-10T00:00Z'];
    assert.deepEqual(labels(from, to, 'week', 'UTC'), ['2026-10-26', '2026-11-02', '2026-11-09']);
    assert.deepEqual(labels('2026-10-31T12:00Z', to, 'month', 'UTC'), ['2026-10-01', '2026-11-01']);
  });
  it('of minutes have minutes', () => {
    assert.deepEqual(labels('2026-11-01T10:58:30Z', '2026-11-01T11:00Z', 'minute', 'UTC'), [
      '2026-11-01 10:58:00',
      '2026-11-01 10:59:00',
    ]);
  });

  const zones = [
    'UTC',
    'Europe/Berlin',
    'America/St_Johns',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
  ];
  const anyPeriod = fc
    .record({
      startsAt: fc.integer({ min: 0, max: Date.UTC(2030, 0) }),
      lengthMs: fc.integer({ min: 1, max: 40 * 86_400_000 }),
      timeZone: fc.constantFrom(...zones, 'America/Santiago', 'Pacific/Apia'),
    })
    .map(({ startsAt, lengthMs, timeZone }) => ({
      startsAt,
      endsAt: startsAt + lengthMs,
      timeZone,
    }));
  const anyUnit = fc.constantFrom<BucketUnit>('hour', 'day', 'week', 'month');

  it('cover the period in order, each with a label of its own', () => {
    fc.assert(
      fc.property(anyPeriod, anyUnit, (period, unit) => {
        const buckets = toBuckets(period, unit);
        assert.ok((buckets[0] ?? Number.NaN) <= period.startsAt);
        assert.ok(buckets.slice(1).every((at) => at > period.startsAt && at < period.endsAt));
        assert.deepEqual(
          buckets,
          buckets.toSorted((a, b) => a - b),
        );
        const written = buckets.map((at) => toBucketLabel(at, unit, period.timeZone));
        assert.equal(new Set(written).size, buckets.length);
        assert.ok(buckets.length <= countBucketsAtMost(period, unit));
      }),
    );
  });
});

describe('the previous period', () => {
  it('has as many days, whatever their hours', () => {
    const period = {
      startsAt: Date.parse('2026-10-25T22:00Z') + 3_600_000, // midnight of the 26th in Berlin
      endsAt: Date.parse('2026-10-26T23:00Z'),
      timeZone: 'Europe/Berlin',
    };
    assert.deepEqual(previousPeriod(period), {
      startsAt: Date.parse('2026-10-24T22:00Z'), // The 25th had 25 hours.
      endsAt: period.startsAt,
      timeZone: 'Europe/Berlin',
    });
  });
  it('of a part of a day is as long', () => {
    const period = { startsAt: 3_600_000, endsAt: 5_400_000, timeZone: 'UTC' };
    assert.deepEqual(previousPeriod(period), {
      startsAt: 1_800_000,
      endsAt: 3_600_000,
      timeZone: 'UTC',
    });
  });
});
