import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Figure } from './ask-figures.ts';
import { toSummaryMail } from './summary-mail.ts';

describe('the mail of a summary', () => {
  const of = {
    domain: 'tea.example',
    days: { from: '2026-11-16', to: '2026-11-22' },
    baseUrl: 'https://figures.example',
  };
  const linesOf = (...figures: Figure[]) => {
    const { text } = toSummaryMail(of, { figures, rankings: [] });
    const [head = '', lines = ''] = text.split('\n\n');
    return [head, ...lines.split('\n').map((line) => line.replaceAll(/\s+/g, ' '))];
  };
  const rate = (value: number, before: number) => ({ name: 'Conversion rate', value, before });

  it('has dates and changes as the dashboard writes them', () => {
    assert.deepEqual(
      linesOf(
        { name: 'Visitors', value: 1_232, before: 1_100 },
        { name: 'Visits', value: 50, before: 100 },
        rate(15.1, 17.6),
      ),
      [
        'tea.example, 16 Nov 2026 to 22 Nov 2026',
        'Visitors 1,232 +12% (before: 1,100)',
        'Visits 50 −50% (before: 100)',
        'Conversion rate 15.1% −2.5 pt (before: 17.6%)',
      ],
    );
  });

  it('has the points of a percentage that rises, or stays', () => {
    assert.deepEqual(linesOf(rate(3, 2.3), rate(3.04, 3.01)).slice(1), [
      'Conversion rate 3% +0.7 pt (before: 2.3%)',
      'Conversion rate 3% ±0 pt (before: 3%)',
    ]);
  });
});
