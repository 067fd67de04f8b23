import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Insight } from '#contract/reports/insights.ts';
import type { Figure } from './ask-figures.ts';
import { toSummaryMail } from './summary-mail.ts';

describe('the mail of a summary', () => {
  const of = {
    domain: 'tea.example',
    days: { from: '2026-11-16', to: '2026-11-22', rhythm: 'weekly' },
    baseUrl: 'https://figures.example',
  } as const;
  const linesOf = (...figures: Figure[]) => {
    const { text } = toSummaryMail(of, { figures, rankings: [], insights: [] });
    const [head = '', lines = ''] = text.split('\n\n');
    return [head, ...lines.split('\n').map((line) => line.replaceAll(/\s+/g, ' '))];
  };
  const rate = (value: number, before: number) =>
    ({ metric: 'conversion_rate', value, before }) as const;

  it('has dates and changes as the dashboard writes them', () => {
    assert.deepEqual(
      linesOf(
        { metric: 'visitors', value: 1_232, before: 1_100 },
        { metric: 'visits', value: 50, before: 100 },
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

  it('has the sentences of the week, which open their figures, and nothing where all is quiet', () => {
    const insight = {
      ...{ kind: 'visitors', sentence: 'A, <b> brought 30 visitors.', value: 30, usual: 10 },
      ...{ chance: 1e-6 },
      query: {
        metrics: ['conversions'],
        date_range: ['2026-11-16', '2026-11-22'],
        filters: [['is', 'visit:source', ['A, <b>']]],
      },
    } satisfies Insight;
    const loud = toSummaryMail(of, { figures: [], rankings: [], insights: [insight] });
    const [, url = ''] =
      /What stands out\n- A, <b> brought 30 visitors.\n {2}(\S+)\n/.exec(loud.text) ?? [];
    assert.equal(new URL(url).searchParams.get('f'), 'is,visit:source,A\\, <b>');
    assert.equal(new URL(url).searchParams.get('metric'), 'conversions');
    assert.ok(loud.html.includes('>A, &lt;b&gt; brought 30 visitors.</a>'));
    const quiet = toSummaryMail(of, { figures: [], rankings: [], insights: [] });
    assert.doesNotMatch(`${quiet.text} ${quiet.html}`, /What stands out/);
  });

  it('says in its subject what happened, of money only where there is some', () => {
    const subjectOf = (...figures: Figure[]) =>
      toSummaryMail(of, { figures, rankings: [], insights: [] }).subject;
    const money = (value: string) => ({ value, currency: 'EUR' });
    const visitors = { metric: 'visitors', value: 100, before: 0 } as const;
    const revenue = { metric: 'revenue', value: money('38.00'), before: money('100.00') } as const;
    assert.equal(
      subjectOf(revenue, visitors),
      'Revenue €38.00 (−62%), Visitors 100 last week on tea.example',
    );
    const none = { ...revenue, value: money('0.00') };
    assert.equal(subjectOf(none, visitors), 'Visitors 100 last week on tea.example');
  });
});
