import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ViewFilter } from '../format/dimensions.ts';
import { filterBy } from './filters.ts';

const german: ViewFilter = { operator: 'is', dimension: 'visit:country', values: ['DE'] };

describe('a click on a row', () => {
  it('shows only that value, beside the filters on other things', () => {
    const both = filterBy([german], 'is', 'visit:source', 'Google');
    assert.deepEqual(both, [
      german,
      { operator: 'is', dimension: 'visit:source', values: ['Google'] },
    ]);
    assert.deepEqual(filterBy([german], 'is', 'visit:country', 'AT'), [
      { ...german, values: ['AT'] },
    ]);
  });

  it('leaves out one more value each time with is_not', () => {
    const one = filterBy([], 'is_not', 'visit:country', 'DE');
    const two = filterBy(one, 'is_not', 'visit:country', 'AT');
    assert.deepEqual(two, [
      { operator: 'is_not', dimension: 'visit:country', values: ['DE', 'AT'] },
    ]);
    assert.deepEqual(filterBy(two, 'is_not', 'visit:country', 'AT'), two);
  });
});
