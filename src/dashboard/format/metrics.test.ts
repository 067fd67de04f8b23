import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { formatIn } from './intl-forms.ts';
import { changeOf } from './metrics.ts';

describe('a change', () => {
  after(() => formatIn());
  const cases = [
    ['is in percent with one decimal', 'visitors', 119, 100, 'en', '▲ 19.0%', 'good'],
    ['has none from a hundred percent on', 'visitors', 350, 100, 'en', '▲ 250%', 'good'],
    [
      'is in points where values are percentages',
      'conversion_rate',
      2.4,
      2.2,
      'en',
      '▲ 0.2 pt',
      'good',
    ],
    ['is of the shown figures', 'bounce_rate', 17.06, 17.04, 'en', '▲ 0.1 pt', 'bad'],
    ['is bad where less is better', 'bounce_rate', 39, 38, 'en', '▲ 1.0 pt', 'bad'],
    ['that rounds to nothing is none', 'visitors', 100_001, 100_000, 'en', '± 0%', 'same'],
    ['is written as the reader writes', 'visitors', 88, 100, 'de', '▼ 12,0\u00a0%', 'bad'],
  ] as const;
  for (const [rule, metric, now, before, language, text, mood] of cases) {
    it(rule, () => {
      formatIn(language);
      assert.deepEqual(changeOf(metric, now, before), { text, mood });
    });
  }

  it('from nothing to something has no percentage', () => {
    assert.equal(changeOf('visitors', 5, 0), undefined);
    assert.equal(changeOf('visitors', 5, null), undefined);
  });
});
