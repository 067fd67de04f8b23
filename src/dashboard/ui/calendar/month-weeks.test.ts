import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { monthWeeks, moveDay, moveMonth } from './month-weeks.ts';

describe('a month of a calendar', () => {
  it('begins with the Monday before its first day', () => {
    const weeks = monthWeeks('2026-11-23', 1);
    assert.equal(weeks[0]?.[0], '2026-10-26');
    assert.equal(weeks.length, 6);
    assert.equal(weeks.at(-1)?.at(-1), '2026-12-06');
  });

  it('begins with a Sunday where weeks do', () => {
    assert.equal(monthWeeks('2026-11-23', 7)[0]?.[0], '2026-11-01');
  });

  it('has four weeks when it fits', () => {
    assert.equal(monthWeeks('2027-02-10', 1).length, 4);
  });

  it('is walked by keys', () => {
    assert.equal(moveDay('2026-11-01', 'ArrowLeft'), '2026-10-31');
    assert.equal(moveDay('2026-11-30', 'ArrowDown'), '2026-12-07');
    assert.equal(moveDay('2026-11-30', 'PageUp'), '2026-10-30');
    assert.equal(moveDay('2026-11-30', 'a'), undefined);
  });

  it('ends with its last day when the same day is missing', () => {
    assert.equal(moveMonth('2026-03-31', -1), '2026-02-28');
    assert.equal(moveMonth('2026-12-31', 1), '2027-01-31');
  });
});
