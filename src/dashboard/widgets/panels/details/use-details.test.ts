import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseOrder, unattributedLast, withoutAttention, withoutVisits } from './use-details.ts';

describe('the order of all rows', () => {
  it('is by revenue until a known metric is named', () => {
    assert.deepEqual(parseOrder(''), { metric: 'revenue', direction: 'desc' });
    assert.deepEqual(parseOrder('constructor,asc'), { metric: 'revenue', direction: 'desc' });
    assert.deepEqual(parseOrder('visits,asc'), { metric: 'visits', direction: 'asc' });
  });
});

it('a time on page is none where no attention was reported', () => {
  const columns = ['visitors', 'engagement_time', 'scroll_depth'] as const;
  assert.deepEqual(withoutAttention(columns, [1, 0, null]), [1, null, null]);
  assert.deepEqual(withoutAttention(columns, [1, 0, 40]), [1, 0, 40]);
  assert.deepEqual(withoutAttention(['visitors', 'engagement_time'], [1, 0]), [1, 0]);
});

it('what is unattributed is the last row, without counts of visits', () => {
  const rows = ['Google', 'Unattributed', 'Email'].map((name) => ({
    ...{ dimensions: [name], metrics: [] },
  }));
  assert.deepEqual(
    unattributedLast(rows).map(({ dimensions }) => dimensions[0]),
    ['Google', 'Email', 'Unattributed'],
  );
  const columns = ['payments', 'visitors', 'pageviews', 'trials'] as const;
  assert.deepEqual(withoutVisits(columns, [2, 0, 0, 0]), [2, null, null, 0]);
});
