import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { orderBy, parseOrder } from './columns.ts';

describe('the order of all rows', () => {
  it('is by revenue until a known metric is named', () => {
    assert.deepEqual(parseOrder(''), { metric: 'revenue', direction: 'desc' });
    assert.deepEqual(parseOrder('constructor,asc'), { metric: 'revenue', direction: 'desc' });
    assert.deepEqual(parseOrder('visits,asc'), { metric: 'visits', direction: 'asc' });
  });

  it('turns round at the second click on the same head', () => {
    const once = orderBy(parseOrder(''), 'visits');
    assert.equal(once, 'visits');
    assert.equal(orderBy(parseOrder(once), 'visits'), 'visits,asc');
    assert.equal(orderBy(parseOrder('visits,asc'), 'visits'), 'visits');
  });
});
