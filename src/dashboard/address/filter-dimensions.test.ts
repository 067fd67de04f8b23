import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DIMENSION_NAMES } from '#report/catalog.ts';
import { parseAskedFilter } from '#report/query/parse/parse-filter.ts';
import { isFilterDimension } from './filter-dimensions.ts';

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
