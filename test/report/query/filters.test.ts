import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { SentQuery } from '#contract/query.ts';
import { type Bakery, openBakery } from '../../worlds/open-bakery.ts';

let bakery: Bakery;
before(async () => {
  bakery = await openBakery();
});
after(() => bakery.close());

describe('filters', () => {
  const cases: readonly [string, SentQuery['filters'] & {}, string][] = [
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
      'leave the case aside when told to',
      [['is', 'visit:source', ['gOOGLE'], { case_sensitive: false }]],
      '1 | 2 | 2 | 35.90',
    ],
    ['mind the case else', [['is', 'visit:source', ['google']]], '0 | 0 | 0 | 0.00'],
    [
      'find a part whatever its case',
      [['contains_not', 'visit:source', ['GOOG', 'ews'], { case_sensitive: false }]],
      '2 | 2 | 0 | 25.55',
    ],
    [
      'take regular expressions',
      [['matches', 'visit:source', ['^(Goo|Hacker).*[el]', 'xyz']]],
      '3 | 4 | 2 | 35.90',
    ],
    [
      'turn them around',
      [['matches_not', 'visit:source', ['^g', 'NEWS'], { case_sensitive: false }]],
      '2 | 2 | 0 | 25.55',
    ],
    [
      'take patterns of the whole',
      [['matches_wildcard', 'visit:entry_page', ['/*']]],
      '6 | 9 | 3 | 35.90',
    ],
    [
      'take dots in them as dots',
      [['matches_wildcard', 'visit:referrer', ['https://www.google.com/']]],
      '1 | 2 | 2 | 35.90',
    ],
    [
      'let one star stop at a slash',
      [['matches_wildcard', 'visit:referrer', ['https:*com*']]],
      '0 | 0 | 0 | 0.00',
    ],
    [
      'let two go on',
      [['matches_wildcard', 'visit:referrer', ['https:**com**']]],
      '3 | 4 | 2 | 35.90',
    ],
    [
      'turn patterns around',
      [['matches_wildcard_not', 'visit:source', ['G*', '* *']]],
      '3 | 5 | 1 | 25.55',
    ],
    // ben and anna signed up, in a visit or not; all that is theirs counts.
    [
      'know what visitors have done',
      [['has_done', ['is', 'event:goal', ['signup']]]],
      '4 | 7 | 3 | 35.90',
    ],
    [
      'know what they have not',
      [['has_not_done', ['is', 'event:goal', ['signup']]]],
      '2 | 2 | 0 | 25.55',
    ],
    [
      'know that they did one thing that is all of it',
      [
        [
          'has_done',
          [
            'and',
            [
              ['is', 'event:goal', ['signup']],
              ['is', 'event:page', ['/pricing']],
            ],
          ],
        ],
      ],
      '3 | 4 | 2 | 35.90',
    ],
    [
      'know several deeds, and visits beside them',
      [
        ['has_done', ['is', 'event:page', ['/pricing']]],
        ['not', ['has_done', ['is', 'event:goal', ['login']]]],
        ['is', 'visit:medium', ['email']],
      ],
      '1 | 3 | 1 | 0.00',
    ],
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

  it('are refused with a reason when an expression is invalid', async () => {
    for (const expression of ['(', 'a{1001}', '(?<=x)y']) {
      const faults = await bakery.faults({
        metrics: ['visits'],
        filters: [['matches', 'event:page', [expression]]],
      });
      assert.deepEqual(faults, [
        '/filters: A regular expression of "matches" is too large, or is not valid in RE2 syntax.',
      ]);
    }
  });
  it('are refused with a reason when a pattern has more stars than any page needs', async () => {
    const withStars = (stars: number) => ({
      metrics: ['visits'],
      filters: [['matches_wildcard', 'event:page', ['/**', `/${'**a'.repeat(stars)}`]]],
    });
    await bakery.ask(withStars(10));
    assert.deepEqual(await bakery.faults(withStars(11)), [
      '/filters/0/2: A pattern has "*" or "**" in at most 10 places.',
    ]);
  });
  it('take the share of all visitors when they name an event', async () => {
    const filters = [['is', 'event:goal', ['login']]];
    assert.deepEqual(await bakery.lines({ metrics: ['conversion_rate'], filters }), ['25']);
  });
});
