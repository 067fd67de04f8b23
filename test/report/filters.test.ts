import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Query } from '#contract/query.ts';
import { type Bakery, openBakery } from '../worlds/open-bakery.ts';

let bakery: Bakery;
before(async () => {
  bakery = await openBakery();
});
after(() => bakery.close());

describe('filters', () => {
  const cases: readonly [string, Query['filters'] & {}, string][] = [
    ['keep one source', [['is', 'visit:source', ['Google']]], '1 | 2 | 2 | 35.90'],
    ['keep any of several', [['is', 'visit:source', ['Google', 'Direct']]], '3 | 4 | 2 | 35.90'],
    ['leave a source out', [['is_not', 'visit:source', ['Google']]], '5 | 7 | 1 | 25.55'],
    ['find a part of a text', [['contains', 'visit:campaign', ['vem', 'xyz']]], '1 | 3 | 1 | 0.00'],
    [
      'find no part of a text',
      [['contains_not', 'visit:source', ['oo', 'ews']]],
      '2 | 2 | 0 | 25.55',
    ],
    ['know money of nobody', [['is', 'visit:source', ['Unattributed']]], '0 | 0 | 0 | 25.55'],
    [
      'all hold at once',
      [
        ['is', 'visit:source', ['Direct']],
        ['is', 'visit:entry_page', ['/']],
      ],
      '1 | 1 | 0 | 0.00',
    ],
    [
      'join by or',
      [
        [
          'or',
          [
            ['is', 'visit:source', ['Google']],
            ['is', 'visit:medium', ['email']],
          ],
        ],
      ],
      '2 | 5 | 3 | 35.90',
    ],
    ['turn around', [['not', ['is', 'visit:source', ['Google']]]], '5 | 7 | 1 | 25.55'],
    // Pages: visits and payments by what the visit saw, pageviews and goals by their own page.
    ['know the pages of a visit', [['is', 'event:page', ['/pricing']]], '2 | 2 | 1 | 35.90'],
    ['know the goals of a visit', [['is', 'event:goal', ['signup']]], '1 | 0 | 2 | 35.90'],
    [
      'ask for one event that is all of it',
      [
        ['is', 'event:goal', ['signup']],
        ['is', 'event:page', ['/pricing']],
      ],
      '1 | 0 | 1 | 35.90',
    ],
    [
      'mix visits and events',
      [
        [
          'or',
          [
            ['is', 'visit:source', ['Hacker News']],
            ['is', 'event:page', ['/pricing']],
          ],
        ],
      ],
      '4 | 4 | 1 | 35.90',
    ],
    ['know custom parameters', [['is', 'event:props:plan', ['pro']]], '1 | 0 | 1 | 35.90'],
    [
      'take quotes and braces as text',
      [['is', 'visit:source', ["'; DROP TABLE visits --", '{p0:String}']]],
      '0 | 0 | 0 | 0.00',
    ],
  ];
  for (const [rule, filters, line] of cases) {
    it(rule, async () => {
      const metrics = ['visits', 'pageviews', 'conversions', 'revenue'];
      assert.deepEqual(await bakery.lines({ metrics, filters }), [line]);
    });
  }

  it('take the share of all visitors when they name an event', async () => {
    const filters = [['is', 'event:goal', ['login']]];
    assert.deepEqual(await bakery.lines({ metrics: ['conversion_rate'], filters }), ['25']);
  });
});
