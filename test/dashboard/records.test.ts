import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { waitFor } from '@testing-library/dom';
import { refuse } from './api/fake-api.ts';
import { PAID, UNKNOWN } from './api/people.ts';
import { openPage } from './browser/open-page.ts';

const SITE = '/tea.example';

describe('payments', () => {
  it('are found by their state, which the address keeps', async (t) => {
    const { screen, open } = await openPage(t, `${SITE}/payments?state=attributed`);
    await screen.findAllByText('Teapot');
    assert.ok(screen.queryByRole('link', { name: /order_unknown/ }) === null);
    open(`${SITE}/payments?state=bogus`);
    await screen.findByRole('button', { name: 'State: All payments' });
    await screen.findAllByText('Teapot');
  });

  it('have totals by status, which lead to those payments, and refunds have their dates', async (t) => {
    const { user, reaches, screen } = await openPage(t, `${SITE}/payments?period=all`);
    await user.click(await screen.findByRole('button', { name: /^Disputed 1.* €5\.00 back$/ }));
    await reaches(/state=disputed/);
    await screen.findByRole('button', { name: 'State: Disputed' });
    await screen.findByText(/€5\.00 disputed on Nov 29/);
    await waitFor(() => assert.equal(screen.queryAllByText('Teapot').length, 0));
  });

  it('write out what would turn the text beside it, and ask for it as it was', async (t) => {
    const product = 'Tea \u202Egnp.exe\u2066';
    const { api, screen, user } = await openPage(t, `${SITE}/payments?period=all`, {
      'GET /api/v1/payments': { results: [{ ...PAID, product }], meta: {} },
    });
    await user.click(
      await screen.findByRole('button', { name: 'Tea \u2039RLO\u203agnp.exe\u2039LRI\u203a' }),
    );
    const asked = () => api.calls('GET /api/v1/payments').at(-1)?.search.get('product');
    await waitFor(() => assert.equal(asked(), product));
    assert.doesNotMatch(document.documentElement.outerHTML, /[\u202a-\u202e\u2066-\u2069]/);
  });

  it('are filtered by a click on a source', async (t) => {
    const { user, reaches, screen } = await openPage(t, `${SITE}/payments?period=all`);
    const [google] = await screen.findAllByRole('button', { name: 'Google' });
    assert.ok(google);
    await user.click(google);
    await reaches(`${SITE}/payments?period=all&f=is,visit:source,Google`);
    await user.click(await screen.findByRole('button', { name: /^Source is Google/ }));
    await reaches(`${SITE}/payments?period=all`);
  });

  it('say that the filters of other pages do not apply, and remove them', async (t) => {
    const page = await openPage(t, `${SITE}/payments?f=is,visit:device,mobile`);
    await page.screen.findByText(/Device is Mobile does not apply/);
    await page.user.click(page.screen.getByRole('button', { name: 'Remove' }));
    await page.reaches(`${SITE}/payments`);
    await page.loses(/does not apply/);
  });

  it('lead to the story of who paid, and back', async (t) => {
    const { part, user, reaches, screen } = await openPage(t, `${SITE}/payments/order_ada`);
    await user.click(await (await part('region', 'Facts')).findByRole('link'));
    await reaches(/^\/tea\.example\/people\/[^/]+$/);
    const [back] = await screen.findAllByRole('link', { name: 'order_ada' });
    assert.ok(back);
    await user.click(back);
    await reaches(/\/payments\/order_ada/);
    await screen.findByRole('heading', { name: 'Path to this payment' });
  });

  it('are called trials where nothing was paid', async (t) => {
    const trial = {
      ...UNKNOWN,
      status: 'trial',
      amount: { value: '0.00', currency: 'EUR' },
    } as const;
    const { screen } = await openPage(t, `${SITE}/payments`, {
      'GET /api/v1/payments': { results: [trial], meta: { totals: [] } },
    });
    await screen.findByRole('row', { name: /trial/ });
  });

  it('call what a bank took back disputed, and not refunded', async (t) => {
    const { part, screen } = await openPage(t, `${SITE}/payments/order_cleo`);
    await (await part('region', 'Facts')).findByText('Dispute');
    await screen.findByText('Returned');
    assert.ok(screen.queryByText('Refunded') === null);
    assert.ok(screen.queryByText('Refund') === null);
  });

  it('of a visitor of whom nothing is recorded have no path, which is no failure', async (t) => {
    const unseen = { ...UNKNOWN, state: 'unseen_visitor', service_visitor_id: 'typo' } as const;
    const { screen } = await openPage(t, `${SITE}/payments/order_unknown`, {
      'GET /api/v1/payments/:id': unseen,
      'GET /api/v1/visitors/:id/story': () => refuse('visitor_not_found'),
    });
    await screen.findByText('No visits are known before this payment.');
  });

  it('take another visitor, whom one types at once', async (t) => {
    const { part, user, screen } = await openPage(t, `${SITE}/payments/order_ada`);
    await user.click(await screen.findByRole('button', { name: 'Set the visitor' }));
    const field = (await part('dialog', 'Set the visitor')).getByLabelText('Visitor');
    await waitFor(() => assert.ok(document.activeElement === field));
  });

  it('that do not exist lead to those that do', async (t) => {
    const { user, reaches, screen } = await openPage(t, `${SITE}/payments/nosuch`);
    await screen.findByText('There is no payment nosuch on this site.');
    await user.click(screen.getByRole('link', { name: 'All payments' }));
    await reaches(`${SITE}/payments`);
  });

  it('keep the filters of the address as they are when something else changes', async (t) => {
    const filter = 'f=is,visit:device,mobile';
    const { user, reaches, screen, open } = await openPage(t, `${SITE}/payments?${filter}`);
    await user.click(await screen.findByRole('button', { name: /^State/ }));
    await user.click(await screen.findByRole('menuitemradio', { name: 'Attributed' }));
    await reaches(`${SITE}/payments?${filter}&state=attributed`);
    open(`${SITE}/people?${filter}`);
    await user.click(await screen.findByRole('button', { name: 'Revenue' }));
    await reaches(`${SITE}/people?${filter}&sort=revenue`);
  });
});

describe('people', () => {
  it('are found by a part of an id, and said to be none otherwise', async (t) => {
    const { user, reaches, screen } = await openPage(t, `${SITE}/people`);
    await user.type(await screen.findByRole('searchbox'), 'cus_');
    await reaches(`${SITE}/people?q=cus_`);
    await screen.findByRole('link', { name: /^ada@\s?customers\.example/ });
    await user.type(screen.getByRole('searchbox'), 'nobody');
    await screen.findByText(/Nobody in this period matches “cus_nobody”/);
  });

  it('have a story with what they did and paid', async (t) => {
    const { user, reaches, screen, part } = await openPage(t, `${SITE}/people?sort=revenue`);
    await user.click(await screen.findByRole('link', { name: /^ada@\s?customers\.example/ }));
    await reaches(`${SITE}/people/person-ada`);
    await screen.findByRole('heading', { level: 1, name: 'ada@customers.example' });
    const timeline = await part('list', 'Timeline');
    await timeline.findByText(/^Payment €40/);
  });

  it('who are unknown are said to be so', async (t) => {
    const { screen } = await openPage(t, `${SITE}/people/nobody`);
    await screen.findByText(/There is no person with this id\./);
  });
});

describe('funnels', () => {
  const steps = () => new URLSearchParams(location.search).getAll('step').join(' ');

  it('are built by clicking, and the address holds the steps', async (t) => {
    const { user, screen } = await openPage(t, `${SITE}/funnels`);
    const click = async (name: string) => user.click(await screen.findByRole('button', { name }));
    await click('Choose the first step');
    await user.type(
      await screen.findByRole('searchbox', { name: 'Find a page or goal' }),
      '/teas/*',
    );
    await click('/teas/*');
    await click('Add a step');
    await click('Any payment');
    await click('Add a step');
    await click('signup');
    await click('Move signup up');
    await waitFor(() => assert.equal(steps(), 'page,/teas/* goal,signup payment'));
    await click('Remove signup');
    await waitFor(() => assert.equal(steps(), 'page,/teas/* payment'));
  });

  it('are broken down, and a click on a row filters', async (t) => {
    const { user, screen, reaches } = await openPage(t, `${SITE}/funnels?step=page,/&step=payment`);
    await user.click(await screen.findByRole('button', { name: /break down by/i }));
    await user.click(await screen.findByRole('menuitemradio', { name: 'Device' }));
    await user.click(await screen.findByRole('button', { name: 'Desktop' }));
    await reaches(/f=is,visit:device,desktop/);
    await screen.findByRole('heading', { name: 'By device' });
  });
});

describe('retention', () => {
  it('is shown by weeks and months, as what customers are worth, and as what recurs', async (t) => {
    const { user, screen, reaches } = await openPage(t, `${SITE}/retention`);
    await screen.findByRole('columnheader', { name: 'Week 1' });
    await user.click(screen.getByRole('button', { name: 'Months' }));
    await reaches(`${SITE}/retention?unit=month`);
    await screen.findByRole('columnheader', { name: 'Month 1' });
    await user.click(screen.getByRole('button', { name: 'Lifetime value' }));
    await reaches(/show=ltv/);
    await screen.findByRole('columnheader', { name: 'Customers' });
    await screen.findByRole('cell', { name: /Nobody’s first month is over yet/ });
    await user.click(screen.getByRole('button', { name: 'Recurring revenue' }));
    await screen.findByRole('row', { name: /so far.*€15\.00/ });
  });
});
