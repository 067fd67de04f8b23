import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { yearBefore } from './compared-periods.ts';

function before(from: string, to: string, timeZone = 'Europe/Berlin'): string[] {
  const { startsAt, endsAt } = yearBefore({
    startsAt: Date.parse(from),
    endsAt: Date.parse(to),
    timeZone,
  });
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
  it('has no 29 February', () => {
    assert.deepEqual(before('2024-02-29T00:00:00Z', '2024-03-01T00:00:00Z', 'UTC'), [
      '2023-02-28T00:00:00.000Z',
      '2023-03-01T00:00:00.000Z',
    ]);
  });
});
