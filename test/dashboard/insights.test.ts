import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { InsightsAnswer } from '#contract/reports/insights.ts';
import { refuse } from './api/fake-api.ts';
import { openPage } from './browser/open-page.ts';

const WEEK: [string, string] = ['2026-11-14', '2026-11-20'];
const NONE: InsightsAnswer = {
  results: [],
  week: WEEK,
  compared_with: ['2026-09-19', '2026-11-13'],
  ...{ weeks: 8, weeks_needed: 4, meta: {} },
};
const SENTENCE = 'ChatGPT brought 412 visitors, three times as many as in a usual week.';
const SOME: InsightsAnswer = {
  ...NONE,
  results: [
    {
      ...{ kind: 'visitors', sentence: SENTENCE, value: 412, usual: 140, chance: 0.000_23 },
      query: {
        metrics: ['visitors'],
        date_range: WEEK,
        filters: [['is', 'visit:source', ['ChatGPT']]],
      },
    },
    {
      ...{ kind: 'refunds', sentence: '€41.00 was refunded.', chance: 1e-9 },
      value: { value: '41.00', currency: 'EUR' },
      usual: { value: '16.40', currency: 'EUR' },
      query: { metrics: ['refunds'], date_range: WEEK, filters: [] },
    },
    {
      ...{ kind: 'exits', sentence: '49% of visits to /a,b ended there.', chance: 1e-4 },
      ...{ value: 49, usual: 31 },
      query: {
        metrics: ['visits'],
        date_range: WEEK,
        filters: [['is', 'visit:exit_page', ['/a,b']]],
      },
    },
  ],
};

describe('the page of insights', () => {
  it('says sentences, what is usual, and how often chance does it', async (t) => {
    const { screen } = await openPage(t, '/tea.example/insights', { 'GET /api/v1/insights': SOME });
    await screen.findByText(/compared with the 8 weeks before \(Sep 19 – Nov 13\)/);
    await screen.findByText(
      'Usual: 140. By chance alone, this would happen once in about 4,000 weeks.',
    );
    await screen.findByText(/Usual: €16\.40\. .* less than once in a million weeks/);
    assert.equal(document.title, 'Insights · tea.example · Tributary');
  });

  it('opens the figures of a sentence: the overview of its week, filtered, its refunds, or exits', async (t) => {
    const { screen } = await openPage(t, '/tea.example/insights', { 'GET /api/v1/insights': SOME });
    const visitors = await screen.findByRole('link', { name: SENTENCE });
    assert.equal(
      visitors.getAttribute('href'),
      '/tea.example?period=custom&from=2026-11-14&to=2026-11-20&f=is,visit:source,ChatGPT',
    );
    const refunds = await screen.findByRole('link', { name: /refunded/ });
    assert.match(
      refunds.getAttribute('href') ?? '',
      /^\/tea\.example\/payments\?.*&state=refunded$/,
    );
    const exits = await screen.findByRole('link', { name: /ended there/ });
    assert.match(
      exits.getAttribute('href') ?? '',
      /&metric=visits&f=is,event:page,\/a%5C,b&tab=exit,visitors$/,
    );
  });

  it('is silent where nothing stands out', async (t) => {
    const { screen } = await openPage(t, '/tea.example/insights', { 'GET /api/v1/insights': NONE });
    await screen.findByText('Nothing stands out this week');
  });

  it('says how many weeks it needs while there are fewer', async (t) => {
    const young = { ...NONE, compared_with: null, weeks: 1 };
    const { screen } = await openPage(t, '/tea.example/insights', {
      'GET /api/v1/insights': young,
    });
    await screen.findByText(
      /at least 4 whole weeks before it\. This site has 1 so far: come back in about 3 weeks\./,
    );
  });

  it('says why it cannot be loaded', async (t) => {
    const { screen } = await openPage(t, '/tea.example/insights', {
      'GET /api/v1/insights': refuse('unavailable', 'The warehouse is away.'),
    });
    await screen.findByText('The warehouse is away.');
  });
});
