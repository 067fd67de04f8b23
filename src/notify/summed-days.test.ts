import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDue, lastWhole } from './summed-days.ts';

const at = (text: string) => Date.parse(text);

describe('the days of a summary', () => {
  it('are the last whole week, from Monday to Sunday in the zone of the site', () => {
    const days = { from: '2026-11-16', to: '2026-11-22' };
    assert.deepEqual(lastWhole('weekly', at('2026-11-23T00:30Z'), 'UTC'), days);
    assert.deepEqual(lastWhole('weekly', at('2026-11-29T23:00Z'), 'UTC'), days);
    const before = { from: '2026-11-09', to: '2026-11-15' };
    assert.deepEqual(lastWhole('weekly', at('2026-11-23T00:30Z'), 'America/New_York'), before);
  });

  it('are the last whole month', () => {
    const days = { from: '2026-02-01', to: '2026-02-28' };
    assert.deepEqual(lastWhole('monthly', at('2026-03-31T12:00Z'), 'UTC'), days);
  });

  it('are due from eight in the morning on, once', () => {
    const days = { from: '2026-11-16', to: '2026-11-22' };
    const due = (now: string, sentUntil = '2026-11-15') =>
      isDue(days, sentUntil, at(now), 'Europe/Berlin');
    assert.equal(due('2026-11-23T06:59Z'), false);
    assert.equal(due('2026-11-23T07:00Z'), true);
    assert.equal(due('2026-11-26T00:00Z'), true);
    assert.equal(due('2026-11-26T00:00Z', '2026-11-22'), false);
  });
});
