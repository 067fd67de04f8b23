import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { QueryAnswer } from '#contract/query.ts';
import { FIRST_TABS, isOfFirstTabs, onlyOf } from './panel-query.ts';

const byRevenue = { measure: 'revenue', sort: 'revenue', direction: 'desc' } as const;

describe('the query for the first tabs', () => {
  it('has the visits’ dimensions that panels show at first, each on its own', () => {
    assert.deepEqual(FIRST_TABS.dimensions, ['visit:channel', 'visit:country', 'visit:device']);
    assert.equal(FIRST_TABS.separately, true);
    assert.equal(FIRST_TABS.metrics.at(-1), 'payments');
  });

  it('answers a panel that shows one of them in its first order', () => {
    assert.equal(isOfFirstTabs(byRevenue, 'visit:country'), true);
    assert.equal(isOfFirstTabs(byRevenue, 'visit:source'), false);
    assert.equal(isOfFirstTabs(byRevenue, 'event:page'), false);
    assert.equal(isOfFirstTabs({ ...byRevenue, sort: 'visitors' }, 'visit:country'), false);
    assert.equal(isOfFirstTabs({ ...byRevenue, direction: 'asc' }, 'visit:country'), false);
    assert.equal(isOfFirstTabs({ ...byRevenue, measure: 'visitors' }, 'visit:country'), false);
  });

  it('has an answer of which a panel takes its own rows', () => {
    const row = (...dimensions: string[]) => ({ dimensions, metrics: [1] });
    const answer = {
      results: [
        row('visit:country', 'DE'),
        row('visit:device', 'mobile'),
        row('visit:country', 'FR'),
      ],
      meta: { approximate: true },
    } as unknown as QueryAnswer;
    const { results, meta } = onlyOf('visit:country', answer);
    assert.deepEqual(results, [row('DE'), row('FR')]);
    assert.deepEqual(meta, { approximate: true, total_rows: 2 });
  });
});
