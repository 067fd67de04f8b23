import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LtvAnswer } from '#contract/reports/ltv.ts';
import type { RetentionAnswer } from '#contract/reports/retention.ts';
import { parseRetentionView, toCohortDays, toLifetimeGrid, toRetentionGrid } from './cohorts.ts';

const euros = (value: string) => ({ value, currency: 'EUR' });
const period = (active: number, rate: number | null) => ({
  ...{ active, rate, is_complete: rate !== null },
});

describe('a grid of cohorts', () => {
  it('has all first, leaves out empty cohorts before the first, and colours all but the first column', () => {
    const answer = {
      overall: { size: 4, periods: [{ members: 4, ...period(4, 100) }] },
      results: [
        { cohort: '2026-11-02', size: 0, periods: [period(0, null)] },
        { cohort: '2026-11-09', size: 4, periods: [period(4, 100), period(2, 50), period(1, 25)] },
        { cohort: '2026-11-16', size: 0, periods: [period(0, null)] },
      ],
    } as unknown as RetentionAnswer;
    const { rows, width } = toRetentionGrid(answer);
    assert.deepEqual(
      rows.map(({ cohort }) => cohort),
      [undefined, '2026-11-09', '2026-11-16'],
    );
    assert.deepEqual(
      rows[1]?.cells.map(({ heat }) => heat),
      [0, 1, 0.5],
    );
    assert.equal(width, 3);
  });

  it('shows how many acted while a period lasts, without a colour', () => {
    const answer = {
      overall: { size: 3, periods: [] },
      results: [{ cohort: '2026-11-16', size: 3, periods: [period(2, null)] }],
    } as unknown as RetentionAnswer;
    assert.deepEqual(toRetentionGrid(answer).rows[1]?.cells, [
      { text: '2', heat: 0, hint: '2 of them, so far' },
    ]);
  });

  it('ends all where the oldest cohort does, and says of what is over for nobody only that', () => {
    const answer = {
      overall: { size: 3, periods: [period(2, 50), period(0, null), period(0, null)] },
      results: [
        { cohort: '2026-11-09', size: 0, periods: [period(0, null)] },
        { cohort: '2026-11-16', size: 3, periods: [period(2, 50), period(1, null)] },
      ],
    } as unknown as RetentionAnswer;
    const { rows, width } = toRetentionGrid(answer);
    assert.deepEqual(
      rows[0]?.cells.map(({ text }) => text),
      ['50.0%', '…'],
    );
    assert.equal(width, 2);
  });

  it('leaves out months that are over for nobody, and takes what was paid back for nothing', () => {
    const month = (value: string) => ({
      ...{ members: 2, revenue: euros(value), revenue_per_member: euros(value) },
    });
    const answer = {
      overall: { size: 2, months: [month('20.00'), null] },
      results: [{ group: '2026-10-01', size: 2, months: [month('-5.00'), month('20.00'), null] }],
    } as unknown as LtvAnswer;
    const [, cohort] = toLifetimeGrid(answer).rows;
    assert.deepEqual(
      cohort?.cells.map(({ heat }) => heat),
      [0, 1],
    );
  });

  it('shows months of lifetime value that have not ended for a whole cohort without a colour', () => {
    const month = (members: number) => ({
      ...{ members, revenue: euros('20.00'), revenue_per_member: euros('10.00') },
    });
    const answer = {
      overall: { size: 5, months: [month(3), month(2)] },
      results: [
        { group: '2026-10-01', size: 3, months: [month(3), month(2)] },
        { group: '2026-11-01', size: 2, months: [null, null] },
        { group: '2026-12-01', size: 0, months: [null, null] },
      ],
    } as unknown as LtvAnswer;
    const { rows, width } = toLifetimeGrid(answer);
    assert.deepEqual(
      rows.map(({ cells }) => cells.map(({ heat }) => heat)),
      [[1, 1], [1, 0], [0], []],
    );
    assert.match(rows[1]?.cells[1]?.hint ?? '', / by 2, so far$/);
    assert.match(rows[2]?.cells[0]?.hint ?? '', /Nobody’s first month is over yet/);
    assert.equal(width, 2);
  });
});

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
