import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toFilters } from '../../api/query.ts';
import type { ViewFilter } from '../../format/dimensions.ts';
import { toChips } from '../saved/to-chips.ts';

describe('the filters of a segment as chips', () => {
  it('are what they were saved from', () => {
    const chips: ViewFilter[] = [
      { operator: 'is_not', dimension: 'visit:source', values: ['Google', 'Bing'] },
      { operator: 'contains', dimension: 'event:page', values: ['/blog'] },
      { operator: 'has_done', dimension: 'event:goal', values: ['signup'] },
    ];
    assert.deepEqual(toChips(toFilters(chips)), chips);
  });

  it('are none where a filter has another form', () => {
    const country = ['is', 'visit:country', ['DE']];
    assert.equal(toChips([country, ['or', [country, country]]]), undefined);
    assert.equal(toChips([['contains', 'visit:source', ['g']]]), undefined);
    assert.equal(toChips([['is', 'visit:source', ['g'], { case_sensitive: false }]]), undefined);
    assert.equal(toChips([['has_done', ['or', [country]]]]), undefined);
  });
});
