import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { SentQuery } from '#contract/query.ts';
import { COST_DIMENSIONS, COST_METRICS } from '#contract/reports/catalog.ts';
import { DIMENSION_NAMES, findDimension, METRICS } from './catalog.ts';

describe('the catalogue', () => {
  it('finds custom parameters by their names, and no others', () => {
    assert.equal(findDimension('event:props:plan')?.name, 'event:props:plan');
    assert.equal(findDimension('event:props:'), undefined);
    assert.equal(findDimension('event:props:NAME'), undefined);
    assert.equal(findDimension('__proto__'), undefined);
  });
  it('says which dimensions and metrics are of costs', () => {
    const ofCosts = DIMENSION_NAMES.filter((name) => 'ofCosts' in (findDimension(name) ?? {}));
    assert.deepEqual(ofCosts.toSorted(), COST_DIMENSIONS.toSorted());
    const metrics = [...METRICS.values()].filter(({ parts }) =>
      parts.some(({ of }) => of === 'costs'),
    );
    assert.deepEqual(metrics.map(({ name }) => name).toSorted(), COST_METRICS.toSorted());
  });
  it('has no more metrics than a query may name at once', () => {
    const { maxItems = 0 } = SentQuery.properties.metrics as { readonly maxItems?: number };
    assert.ok(METRICS.size <= maxItems);
  });
  it('is the list in docs/metrics.md: nothing missing there, nothing made up', () => {
    const docs = readFileSync(new URL('../../docs/metrics.md', import.meta.url), 'utf8');
    const tables = docs.slice(docs.indexOf('## Metrics'), docs.indexOf('## Filters'));
    const listed = [...tables.matchAll(/^\| `([a-z_:A-Z]+)`/gm)].map((match) => match[1] ?? '');
    const names = [...METRICS.keys(), ...DIMENSION_NAMES];
    assert.deepEqual(listed.toSorted(), names.toSorted());
  });
});
