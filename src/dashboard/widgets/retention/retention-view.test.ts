import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseRetentionView, toCohortDays } from './retention-view.ts';

describe('the address of retention', () => {
  it('says what is shown; what is broken is as without it', () => {
    assert.deepEqual(parseRetentionView(new URLSearchParams('show=ltv&unit=month')), {
      part: 'ltv',
      unit: 'month',
    });
    assert.deepEqual(parseRetentionView(new URLSearchParams('show=x&unit=')), {
      part: 'visits',
      unit: 'week',
    });
  });

  it('reaches back over twelve weeks or months, the one under way included', () => {
    assert.deepEqual(toCohortDays('week', '2026-11-24'), ['2026-09-08', '2026-11-24']);
    assert.deepEqual(toCohortDays('month', '2026-11-24'), ['2025-12-01', '2026-11-24']);
  });
});
