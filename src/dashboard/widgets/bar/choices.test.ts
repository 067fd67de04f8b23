import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { namePeriod } from '../../address/periods.ts';
import { formatIn } from '../../format/intl-forms.ts';
import { MODELS } from '../../format/models.ts';
import { nameAttribution, nameComparison } from './choices.ts';

before(() => formatIn('en-GB'));
after(() => formatIn());

describe('the bar says', () => {
  it('models in words', () => {
    assert.deepEqual(
      MODELS.map(({ label }) => label),
      [
        ...['First touch', 'Last touch', 'First non-direct', 'Last non-direct'],
        ...['Linear', 'Position-based', 'Time decay', 'Data-driven'],
      ],
    );
  });

  it('the model with its window', () => {
    assert.equal(nameAttribution({ model: 'linear', window: 'all' }), 'Linear · all time');
    assert.equal(nameAttribution({ model: 'linear', window: '30' }), 'Linear · 30 days');
  });

  it('periods in words, also those without an entry in the menu', () => {
    assert.deepEqual(['30d', 'last_month', '24h', '91d', '1d', '6mo', 'day'].map(namePeriod), [
      ...['Last 30 days', 'Last month', 'Last 24 hours', 'Last 91 days', 'Last 1 day'],
      ...['Last 6 months', 'Today'],
    ]);
  });

  it('what is compared', () => {
    assert.equal(nameComparison('previous'), 'vs previous period');
    assert.equal(nameComparison('off'), 'No comparison');
    assert.match(nameComparison('2020-10-01..2020-10-31'), /^vs 1\s*–\s*31 Oct 2020$/);
  });
});
