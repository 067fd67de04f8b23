import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SentQuery } from '#contract/query.ts';
import { parseQuery } from './parse-query.ts';

const SITE = { id: 'site_a', timezone: 'Europe/Berlin', currency: 'EUR' };
const NOW = Date.parse('2026-11-21T11:00:00Z');

function faultsOf(sent: Partial<SentQuery>): string[] {
  const whole = { site_id: 'site_a', metrics: ['visitors'], date_range: '7d', ...sent };
  const query = parseQuery(whole, SITE, { now: NOW });
  return query.ok ? [] : query.error.details.map(({ path, message }) => `${path}: ${message}`);
}

function nested(depth: number): unknown[] {
  return depth === 0 ? ['is', 'visit:source', ['Google']] : ['not', nested(depth - 1)];
}

describe('a query', () => {
  const is = (dimension: string, values: unknown = ['x']) => ['is', dimension, values];
  const refused: readonly [string, Partial<SentQuery>, RegExp][] = [
    [
      'an unknown metric',
      { metrics: ['visitors', 'hits'] },
      /^\/metrics\/1: "hits" is not a metric. Known: average_order_value, bounce_rate/,
    ],
    [
      'an unknown dimension',
      { dimensions: ['visit:planet'] },
      /^\/dimensions\/0: "visit:planet" is not a dimension. Known: event:download, event:goal, event:hostname, event:outbound, event:page, event:property/,
    ],
    [
      'a name of the language itself',
      { metrics: ['constructor'] },
      /^\/metrics\/0: "constructor" is not/,
    ],
    [
      'a parameter that cannot be',
      { dimensions: ['event:props:a b'] },
      /^\/dimensions\/0: .* is not a dimension/,
    ],
    [
      'an unknown zone',
      { timezone: 'Mars/Olympus' },
      /^\/timezone: "Mars\/Olympus" is not a time zone/,
    ],
    ['an unknown range', { date_range: 'soon' }, /^\/date_range: "soon" is not a date range/],
    [
      'order by what is not asked for',
      { order_by: [['visits', 'asc']] },
      /^\/order_by\/0\/0: "visits" is not in this query/,
    ],
    [
      'more points than a chart has',
      { dimensions: ['time:hour'], date_range: '120mo' },
      /^\/dimensions\/0: time:hour has more than 10000 points/,
    ],
    [
      'an unknown operator',
      { filters: [['resembles', 'visit:source', ['x']]] },
      /^\/filters\/0\/0: "resembles" is not an operator. Known: is, is_not/,
    ],
    ['an empty filter', { filters: [[]] }, /^\/filters\/0\/0: This is not an operator/],
    [
      'a filter that is too short',
      { filters: [['is', 'visit:source']] },
      /^\/filters\/0: \["is", dimension, values\]/,
    ],
    [
      'a behaviour of a visit',
      { filters: [['has_done', is('visit:source')]] },
      /^\/filters\/0\/1: "has_done" is about events/,
    ],
    [
      'a behaviour within a behaviour',
      { filters: [['has_done', ['has_not_done', is('event:goal')]]] },
      /^\/filters\/0\/1: "has_done" is about events/,
    ],
    [
      'unknown modifiers',
      { filters: [[...is('visit:source'), { case: false }]] },
      /^\/filters\/0\/3: Modifiers are/,
    ],
    [
      'a long regular expression',
      { filters: [['matches', 'visit:source', ['x'.repeat(501)]]] },
      /^\/filters\/0\/2: .* at most 500 characters/,
    ],
    [
      'many regular expressions',
      { filters: [['matches', 'visit:source', Array(51).fill('x')]] },
      /^\/filters: A query may have at most 50 patterns/,
    ],
    [
      'a regular expression that is small as a text only',
      { filters: [['matches', 'visit:source', ['(\\pL|\\pN|\\pS){300}N']]] },
      /^\/filters: The regular expressions of the query are too large/,
    ],
    [
      'a filter by time',
      { filters: [is('time:day')] },
      /^\/filters\/0\/1: Time is not a filter: use date_range/,
    ],
    [
      'a filter by names of properties',
      { filters: [is('event:property')] },
      /^\/filters\/0\/1: "event:property" cannot be filtered on\. To find events with a property, write \["is_not", "event:props:plan"/,
    ],
    [
      'values that are no list',
      { filters: [is('visit:source', 'Google')] },
      /^\/filters\/0\/2: Values must be a list/,
    ],
    [
      'values that are no texts',
      { filters: [is('visit:source', [1])] },
      /^\/filters\/0\/2: Values must be a list/,
    ],
    ['no values', { filters: [is('visit:source', [])] }, /^\/filters\/0\/2: Values must be a list/],
    ['a join of nothing', { filters: [['or', []]] }, /^\/filters\/0\/1: "or" joins a list/],
    [
      'a fault deep inside',
      { filters: [['and', [['not', is('visit:x')]]]] },
      /^\/filters\/0\/1\/0\/1\/1: "visit:x" is not/,
    ],
    ['deep nesting', { filters: [nested(8)] }, /nest at most 8 levels/],
    [
      'a thousand comparisons',
      { filters: [['or', Array(1000).fill(is('visit:source'))]] },
      /^\/filters: A query may have at most 100 comparisons/,
    ],
    [
      'too many values',
      { filters: [is('visit:source', Array(1001).fill('x'))] },
      /^\/filters: .* 1000 values/,
    ],
  ];
  for (const [what, query, why] of refused) {
    it(`refuses ${what}`, () => {
      const faults = faultsOf(query);
      assert.equal(faults.length, 1);
      assert.match(faults[0] ?? '', why);
    });
  }

  it('lists every fault at once', () => {
    const faults = faultsOf({
      metrics: ['a', 'b'],
      date_range: 'c',
      timezone: 'UTC',
      filters: [['d']],
    });
    const paths = faults.map((fault) => fault.split(':')[0]);
    assert.deepEqual(paths, ['/metrics/0', '/metrics/1', '/date_range', '/filters/0/0']);
  });
  it('may nest up to the limit', () => assert.deepEqual(faultsOf({ filters: [nested(7)] }), []));
});
