import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { waitFor } from '@testing-library/dom';
import { refuse } from './api/fake-api.ts';
import { answerQuery } from './api/figures.ts';
import { ME, ofSite, TEA } from './api/world.ts';
import { openPage } from './browser/open-page.ts';

const VISITORS = /^Visitors\s*\d/;

describe('the overview', () => {
  it('shows the figures of the period, how they changed, and each as the line of the chart', async (t) => {
    const { screen, user, reaches } = await openPage(t, '/tea.example');
    await screen.findByRole('button', { name: /^Revenue\s*€50\.00\s*▲ 150%/ });
    await screen.findByRole('button', { name: /^Visitors\s*3\s*▲ 200%/ });
    await screen.findByRole('button', { name: /^Conversion rate\s*66\.7%/ });
    assert.equal(document.title, 'Overview · tea.example · Tributary');
    await user.click(screen.getByRole('button', { name: /^Bounce rate/ }));
    await reaches('/tea.example?metric=bounce_rate');
  });

  it('shows the rows of panels, the most revenue first, and what is unattributed last', async (t) => {
    const { part } = await openPage(t, '/tea.example');
    const sources = await part('region', 'Where visitors come from');
    await sources.findByText('Email');
    const rows = sources.getAllByRole('rowheader').map((each) => each.textContent);
    assert.deepEqual(rows, ['Organic Search', 'Email', 'Direct', 'Unattributed · 1 payment, why?']);
    assert.equal(
      sources.getByRole('link', { name: /^Unattributed/ }).getAttribute('href'),
      '/tea.example/payments?state=unattributed',
    );
  });

  it('of several sites as one has what is unattributed last, too, of which visitors say nothing', async (t) => {
    const sites = [TEA, { ...TEA, id: 'site_mugs', domain: 'mugs.example' }];
    const { part } = await openPage(t, '/sites', {
      'GET /api/v1/me': { ...ME, sites },
      'POST /api/v1/query/sites': ({ body }) =>
        answerQuery({ body: { ...body, site_id: TEA.domain } }),
    });
    const channels = await part('region', 'Channels');
    const row = await channels.findByRole('row', { name: /^Unattributed/ });
    const cells = [...row.querySelectorAll('td')].map((each) => each.textContent);
    assert.deepEqual([cells[0], cells[2]], ['–', '–']);
    assert.equal(channels.getAllByRole('row').at(-1), row);
  });

  it('has what a day cost beside its hours, which say nothing of costs', async (t) => {
    const metrics = [{ value: '5.00', currency: 'EUR' }, 2];
    const { screen, api } = await openPage(
      t,
      '/tea.example?period=custom&from=2026-11-28&to=2026-11-28',
      {
        ...ofSite({ has_costs: true }),
        'POST /api/v1/query': ({ body }) => ({
          ...answerQuery({ body }),
          ...(body.metrics.includes('cost') && { results: [{ dimensions: [], metrics }] }),
        }),
      },
    );
    const cost = await screen.findByRole('button', { name: /^Cost\s*€5\.00/ });
    await screen.findByRole('button', { name: /^ROAS\s*2/ });
    assert.ok(cost.hasAttribute('disabled'));
    const asked = api.calls('POST /api/v1/query').map(({ body }) => body);
    for (const { metrics, dimensions } of asked) {
      assert.ok(!metrics.includes('cost') || dimensions === undefined);
    }
  });

  it('leads to its first steps while nothing has arrived', async (t) => {
    const { screen } = await openPage(t, '/tea.example', {
      ...ofSite({ has_payments: false }),
      'POST /api/v1/query': (call) => answerQuery(call, { visits: [], payments: [] }),
    });
    await screen.findByText(/Waiting for the first pageview/);
    assert.ok(screen.queryByRole('button', { name: VISITORS }) === null);
  });

  it('of a site without payments speaks of visits, and says what revenue would add', async (t) => {
    const { screen } = await openPage(t, '/tea.example', ofSite({ has_payments: false }));
    await screen.findByRole('button', { name: /^Pageviews\s*6/ });
    await screen.findByRole('button', { name: /^Views \/ visit\s*1\.5/ });
    assert.ok(screen.queryByRole('button', { name: /^Revenue/ }) === null);
    await screen.findByText(/revenue/i);
  });

  it('loads its panels one by one: one that fails says why, and tries again', async (t) => {
    const isOfPages = (dimensions: readonly string[] = []) => dimensions.includes('event:page');
    const { api, part, user } = await openPage(t, '/tea.example', {
      'POST /api/v1/query': (call) =>
        isOfPages(call.body.dimensions)
          ? refuse('internal', 'The disk is full.')
          : answerQuery(call),
    });
    const pages = await part('region', 'Pages');
    await pages.findByText('The disk is full.');
    await (await part('region', 'Devices')).findByRole('button', { name: 'Desktop' });
    api.answer({ 'POST /api/v1/query': answerQuery });
    await user.click(pages.getByRole('button', { name: 'Try again' }));
    await pages.findByRole('button', { name: '/teas' });
  });

  it('shows the figures of the last visit at once, and fresh ones when they are there', async (t) => {
    const { api, screen, open } = await openPage(t, '/tea.example');
    await screen.findByText('Organic Search');
    await waitFor(() => assert.match(localStorage.getItem('tributary-answers') ?? '', /Organic/));
    const fresh = Promise.withResolvers<void>();
    const visits = [{ ...VISIT, visitor: 'Eve' }];
    api.answer({
      'POST /api/v1/query': async (call) => {
        await fresh.promise;
        return answerQuery(call, { visits, payments: [] });
      },
    });
    open();
    await screen.findByRole('button', { name: /^Visitors\s*3/ });
    await screen.findByText('Organic Search');
    fresh.resolve();
    await screen.findByRole('button', { name: /^Visitors\s*1/ });
  });

  it('says which page does not exist, and which site', async (t) => {
    const { screen, open } = await openPage(t, '/tea.example/nowhere');
    await screen.findByRole('heading', { name: 'This page does not exist.' });
    open('/coffee.example');
    await screen.findByRole('heading', { name: 'No site here' });
  });
});

const VISIT = { at: '2026-11-29 09', seconds: 1, pages: ['/'], of: {} };
