import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonValue } from './json.ts';
import { readIso, readMillis, readSeconds } from './times.ts';

const AT = Date.UTC(2026, 10, 1, 10);

describe('a time', () => {
  const cases: readonly [string, (value: JsonValue) => number | undefined, JsonValue, unknown][] = [
    ['is in UTC', readIso, '2026-11-01T10:00:00Z', AT],
    ['may have an offset', readIso, '2026-11-01T11:00:00+01:00', AT],
    ['may have an offset without a colon', readIso, '2026-11-01T10:00:00+0000', AT],
    ['may have microseconds', readIso, '2026-11-01T10:00:00.000999Z', AT],
    ['without an offset is in UTC', readIso, '2026-11-01T10:00:00', AT],
    ['may have a space', readIso, '2026-11-01 10:00:00', AT],
    ['is not “never”', readIso, '0001-01-01T00:00:00Z', undefined],
    ['is no other date', readIso, '2026-13-45T99:99:99Z', undefined],
    ['is no other text', readIso, 'Nov 1 2026', undefined],
    ['may be in seconds', readSeconds, AT / 1_000, AT],
    ['may be text', readSeconds, String(AT / 1_000), AT],
    ['is not beyond the year 9999', readSeconds, AT, undefined],
    ['may be in milliseconds', readMillis, AT, AT],
    ['is there', readMillis, null, undefined],
  ];
  for (const [rule, read, value, expected] of cases) {
    it(rule, () => assert.equal(read(value), expected));
  }
});
