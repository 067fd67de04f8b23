import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DIMENSION_NAMES } from '#report/catalog.ts';
import { parseAskedFilter } from '#report/query/parse/parse-filter.ts';
import { toFilters } from '../api/query.ts';
import type { ViewFilter } from '../format/dimensions.ts';
import { filterBy, isFilterDimension, toChips } from './filters.ts';

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

/** Plausible's names, a property, and what nobody knows. */
const OTHERS = [
  'payment:provider',
  ...['visit:utm_source', 'visit:utm_medium', 'visit:utm_campaign', 'visit:utm_term'],
  ...['visit:utm_content', 'visit:region_name', 'visit:city_name', 'visit:screen'],
  ...['event:props:plan', 'event:props:', 'event:props:Plan', 'visit:nosuch', 'visit:', 'visit'],
  ...['toString:visit', 'constructor:name', 'visit:source:x', 'visit:source term', ''],
];

describe('a dimension in a filter of the address', () => {
  for (const name of [...DIMENSION_NAMES, ...OTHERS]) {
    it(`is known exactly when the API filters by it: ${name || '(empty)'}`, () => {
      const faults: { readonly path: string; readonly message: string }[] = [];
      const filters = [['is', name, ['x']]];
      parseAskedFilter({ site_id: 's', date_range: 'all', filters }, faults);
      assert.equal(isFilterDimension(name), faults.length === 0);
    });
  }
});

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
