import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type DateRange, parsePeriod } from './parse-period.ts';

/** The evening of 21 November 2026 in Berlin; already the 22nd in Tokyo. */
const NOW = Date.parse('2026-11-21T18:30:00Z');

function rangeOf(range: DateRange, timeZone = 'Europe/Berlin', earliestAt?: number): string {
  const period = parsePeriod(range, { now: NOW, timeZone, earliestAt });
  if (!period.ok) return period.error;
  const text = (at: number) => new Date(at).toISOString().replace(':00.000Z', 'Z');
  return `${text(period.value.startsAt)} – ${text(period.value.endsAt)}`;
}

describe('a date range', () => {
  const words = [
    ['day', '2026-11-20T23:00Z – 2026-11-21T23:00Z'],
    ['today', '2026-11-20T23:00Z – 2026-11-21T23:00Z'],
    ['yesterday', '2026-11-19T23:00Z – 2026-11-20T23:00Z'],
    ['1d', '2026-11-20T23:00Z – 2026-11-21T23:00Z'],
    ['7d', '2026-11-14T23:00Z – 2026-11-21T23:00Z'],
    ['30d', '2026-10-22T22:00Z – 2026-11-21T23:00Z'], // Summer time ended between.
    ['month', '2026-10-31T23:00Z – 2026-11-30T23:00Z'],
    ['6mo', '2026-05-31T22:00Z – 2026-11-30T23:00Z'],
    ['12mo', '2025-11-30T23:00Z – 2026-11-30T23:00Z'],
    ['year', '2025-12-31T23:00Z – 2026-12-31T23:00Z'],
  ] as const;
  for (const [word, period] of words) {
    it(`of ${word} is ${period} in Berlin`, () => assert.equal(rangeOf(word), period));
  }

  it('of 24h ends with the second that is now', () => {
    assert.equal(rangeOf('24h'), '2026-11-20T18:30:01.000Z – 2026-11-21T18:30:01.000Z');
  });
  it('follows the calendar of its zone', () => {
    assert.equal(rangeOf('today', 'Asia/Tokyo'), '2026-11-21T15:00Z – 2026-11-22T15:00Z');
    assert.equal(rangeOf('today', 'Asia/Kolkata'), '2026-11-21T18:30Z – 2026-11-22T18:30Z');
  });
  it('of all begins with the day of the first record, else today', () => {
    const earliestAt = Date.parse('2024-02-29T23:30:00Z');
    assert.equal(
      rangeOf('all', 'Europe/Berlin', earliestAt),
      '2024-02-29T23:00Z – 2026-11-21T23:00Z',
    );
    assert.equal(rangeOf('all'), rangeOf('today'));
  });
  it('of two days includes both', () => {
    assert.equal(rangeOf(['2026-11-01', '2026-11-01']), '2026-10-31T23:00Z – 2026-11-01T23:00Z');
  });
  it('has 23 hours when clocks go forward and 25 when they go back', () => {
    assert.equal(rangeOf(['2026-03-29', '2026-03-29']), '2026-03-28T23:00Z – 2026-03-29T22:00Z');
    assert.equal(rangeOf(['2026-10-25', '2026-10-25']), '2026-10-24T22:00Z – 2026-10-25T23:00Z');
  });
  it('begins after midnight where midnight does not exist', () => {
    // Chile's clocks go from 24:00 on Saturday to 01:00 on Sunday.
    const day: DateRange = ['2026-09-06', '2026-09-06'];
    assert.equal(rangeOf(day, 'America/Santiago'), '2026-09-06T04:00Z – 2026-09-07T03:00Z');
  });
  it('of two instants leaves the second out, and reads wall clocks in its zone', () => {
    assert.equal(
      rangeOf(['2026-11-01T09:00:00+05:30', '2026-11-01T12:00:00Z']),
      '2026-11-01T03:30Z – 2026-11-01T12:00Z',
    );
    assert.equal(
      rangeOf(['2026-11-01T09:00', '2026-11-01 10:00:00']),
      '2026-11-01T08:00Z – 2026-11-01T09:00Z',
    );
  });

  const refused: readonly [DateRange, RegExp][] = [
    ['fortnight', /"fortnight" is not a date range. Known: day, today/],
    ['0d', /is not a date range/],
    ['3661d', /is not a date range/],
    ['', /is not a date range/],
    [['2026-11-02', '2026-11-01'], /ends before it begins/],
    [['2026-11-01T10:00Z', '2026-11-01T10:00Z'], /ends before it begins/],
    [['2026-02-30', '2026-03-01'], /two days/],
    [['2026-11-01', '2026-11-01T10:00Z'], /two days/],
    [['01/11/2026', '02/11/2026'], /two days/],
    [['1969-12-01', '2026-01-01'], /between the years 1970 and 2200/],
    [['2026-01-01', '9999-12-31'], /between the years 1970 and 2200/],
  ];
  for (const [range, why] of refused) {
    it(`refuses ${JSON.stringify(range)}`, () => assert.match(rangeOf(range), why));
  }
});
