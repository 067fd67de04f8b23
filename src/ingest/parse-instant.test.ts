import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseInstant, toInstantText } from './parse-instant.ts';

describe('a timestamp', () => {
  const cases = [
    ['in UTC', '2026-11-20T14:30:00Z', '2026-11-20T14:30:00.000Z'],
    ['with an offset', '2026-11-20T14:30:00+05:30', '2026-11-20T09:00:00.000Z'],
    ['without seconds', '2026-11-20T14:30Z', '2026-11-20T14:30:00.000Z'],
    ['in the basic form', '20261120T143000Z', '2026-11-20T14:30:00.000Z'],
    ['with a blank for the T', '2026-11-20 14:30:00Z', '2026-11-20T14:30:00.000Z'],
    [
      'with nanoseconds, which are cut',
      '2026-11-20T14:30:00.123999999Z',
      '2026-11-20T14:30:00.123Z',
    ],
    ['of a date is midnight in the zone', '2026-11-20', '2026-11-19T23:00:00.000Z'],
    ['without an offset is in the zone', '2026-11-20T14:30:00', '2026-11-20T13:30:00.000Z'],
    ['without an offset, with a blank', '2026-07-01 14:30', '2026-07-01T12:30:00.000Z'],
    ['of a summer date too', '2026-07-01', '2026-06-30T22:00:00.000Z'],
  ] as const;
  for (const [rule, text, instant] of cases) {
    it(`${rule} is read`, () =>
      assert.equal(parseInstant(text, 'Europe/Berlin'), Date.parse(instant)));
  }

  it('of a date that begins at 1 o’clock is its first moment', () => {
    const at = parseInstant('2026-09-06', 'America/Santiago'); // Clocks go forward at midnight.
    assert.equal(at, Date.parse('2026-09-06T01:00:00-03:00'));
  });

  for (const text of [
    '',
    'now',
    '1763700000',
    '2026-02-30',
    '2026-13-01T00:00:00Z',
    '2026-11-20T25:00:00Z',
    '2026-11-20T14:30:00Z[Europe/Berlin]',
    '20/11/2026',
    '2026-W47-5',
  ]) {
    it(`"${text}" is none`, () => assert.equal(parseInstant(text, 'UTC'), undefined));
  }
});

describe('a timestamp that is a number', () => {
  it('is seconds or milliseconds since 1970', () => {
    assert.equal(toInstantText(1_763_700_000), '2025-11-21T04:40:00.000Z');
    assert.equal(toInstantText(1_763_700_000.5), '2025-11-21T04:40:00.500Z');
    assert.equal(toInstantText(1_763_700_000_123), '2025-11-21T04:40:00.123Z');
  });
  it('stays what it is beyond what is a time', () => {
    assert.equal(toInstantText(1e300), '1e+300');
  });
});
