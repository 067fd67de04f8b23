import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { CHANNEL_OPS } from '#domain/acquisition/channels/site-channel.ts';
import { describeFilter, FILTER_OPERATORS, nameFilter, nameTest, negate } from './dimensions.ts';
import { formatIn } from './intl-forms.ts';

before(() => formatIn('en'));
after(() => formatIn());

describe('a filter in words', () => {
  it('names the dimension, the operator and the values', () => {
    const filter = { operator: 'is', dimension: 'visit:device', values: ['mobile', 'tv'] } as const;
    assert.deepEqual(nameFilter(filter), {
      ...{ dimension: 'Device', operator: 'is', values: 'Mobile or TV' },
    });
  });

  it('names countries in the language of the reader', () => {
    const filter = { operator: 'is_not', dimension: 'visit:country', values: ['DE'] } as const;
    assert.equal(nameFilter(filter).values, 'Germany');
    formatIn('de');
    assert.equal(nameFilter(filter).values, 'Deutschland');
    formatIn('en');
  });

  it('leaves patterns and unknown names as they are', () => {
    const pattern = { operator: 'contains', dimension: 'visit:device', values: ['mob'] } as const;
    assert.equal(nameFilter(pattern).values, 'mob');
    const property = { operator: 'is', dimension: 'event:props:plan', values: ['pro'] } as const;
    assert.equal(nameFilter(property).dimension, 'plan');
  });

  it('is a phrase when it comes from the API', () => {
    const cases = [
      [['is', 'visit:country', ['DE', 'FR']], 'Country is Germany or France'],
      [['has_not_done', ['is', 'event:goal', ['signup']]], 'Goal has never been signup'],
      [['matches', 'event:page', ['^/a']], '["matches","event:page",["^/a"]]'],
      [['or', [['is', 'event:page', ['/']]]], '["or",[["is","event:page",["/"]]]]'],
      [
        ['has_done', ['contains', 'event:page', ['a']]],
        '["has_done",["contains","event:page",["a"]]]',
      ],
    ] as const;
    for (const [filter, phrase] of cases) assert.equal(describeFilter(filter), phrase);
  });

  it('has the words that custom channels have', () => {
    assert.deepEqual(CHANNEL_OPS.map(nameTest), [
      ...['is', 'is not', 'contains', 'does not contain', 'starts with', 'ends with'],
    ]);
  });

  for (const operator of FILTER_OPERATORS) {
    it(`negated twice is itself: ${operator}`, () => {
      assert.notEqual(negate(operator), operator);
      assert.equal(negate(negate(operator)), operator);
    });
  }
});
