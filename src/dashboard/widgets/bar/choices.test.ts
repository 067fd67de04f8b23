import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MODELS, nameAttribution, nameComparison } from './choices.ts';

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

  it('what is compared', () => {
    assert.equal(nameComparison('previous'), 'vs previous period');
    assert.equal(nameComparison('off'), 'No comparison');
    assert.match(nameComparison('2020-10-01..2020-10-31', 'en-GB'), /^vs 1\s*–\s*31 Oct 2020$/);
  });
});
