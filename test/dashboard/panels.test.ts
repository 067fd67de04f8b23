import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { waitFor } from '@testing-library/dom';
import { answerQuery } from './api/figures.ts';
import { openPage } from './browser/open-page.ts';

const SITE = '/tea.example';
const FROM = 'Where visitors come from';

describe('the panels of the overview', () => {
  it('show what changed in each row, and further breakdowns behind a menu', async (t) => {
    const { part, user, screen } = await openPage(t, SITE);
    const panel = await part('region', FROM);
    await panel.findAllByText(/▲|▼|±|new/);
    await user.keyboard('x');
    await waitFor(() => assert.ok(panel.queryByText(/▲|▼|±|new/) === null));
    await user.click(panel.getByRole('button', { name: /^More/ }));
    await user.click(await screen.findByRole('menuitemradio', { name: 'Mediums' }));
    await panel.findByRole('button', { name: 'Mediums', pressed: true });
    await panel.findByRole('row', { name: /email/ });
  });

  it('are compared once no other figures are on their way', async (t) => {
    const goals = Promise.withResolvers<void>();
    const { api, part } = await openPage(t, SITE, {
      'POST /api/v1/query': async (call) => {
        if (call.body.dimensions?.includes('event:goal')) await goals.promise;
        return answerQuery(call);
      },
    });
    for (const name of [FROM, 'Pages', 'Hours and bots']) {
      await (await part('region', name)).findAllByRole('row');
    }
    const compared = () =>
      api
        .calls('POST /api/v1/query')
        .flatMap(({ body: { include, dimensions } }) => (include?.compare ? [dimensions] : []));
    assert.deepEqual(compared(), [['time']]);
    goals.resolve();
    await waitFor(() => assert.equal(compared().length, 4));
  });

  it('filter by a click on a row, and leave out by one with Alt', async (t) => {
    const { part, user, reaches, open } = await openPage(t, SITE);
    const countries = await part('region', 'Locations');
    await user.click(await countries.findByRole('button', { name: 'DE Germany' }));
    await reaches(`${SITE}?f=is,visit:country,DE`);
    await countries.findByText('1 of 1');
    open(SITE);
    const again = await part('region', 'Locations');
    await user.keyboard('{Alt>}');
    await user.click(await again.findByRole('button', { name: 'AT Austria' }));
    await user.keyboard('{/Alt}');
    await reaches(`${SITE}?f=is_not,visit:country,AT`);
    await waitFor(() => assert.ok(again.queryByRole('button', { name: 'AT Austria' }) === null));
  });

  it('are sorted and switched in the address, which a reload keeps', async (t) => {
    const { part, user, reaches, screen, open } = await openPage(t, SITE);
    const channels = await part('region', FROM);
    await user.click(channels.getByRole('button', { name: 'Sources' }));
    await user.click(channels.getByRole('button', { name: /^Compare by/ }));
    await user.click(await screen.findByRole('menuitemradio', { name: 'Conversions' }));
    await user.click(await channels.findByRole('button', { name: 'Visitors' }));
    await reaches(`${SITE}?tab=sources,conversions,visitors`);
    open();
    const again = await part('region', FROM);
    await again.findByRole('columnheader', { name: 'Conversions' });
    const head = await again.findByRole('columnheader', { name: /^Visitors/ });
    assert.equal(head.getAttribute('aria-sort'), 'descending');
  });

  it('open in full with every metric, a search and an order', async (t) => {
    const { part, user, reaches, screen } = await openPage(t, SITE);
    await user.click(await screen.findByRole('button', { name: 'Details: Countries' }));
    const dialog = await part('dialog', 'Countries');
    await dialog.findByRole('columnheader', { name: 'Visits to purchase' });
    await dialog.findByRole('button', { name: 'AT Austria' });
    await dialog.findByText('Total');
    await user.type(dialog.getByRole('searchbox'), 'germ');
    await waitFor(() => assert.ok(dialog.queryByRole('button', { name: 'AT Austria' }) === null));
    await reaches(/search=germ/);
    await user.click(dialog.getByRole('button', { name: 'Visits' }));
    const head = await dialog.findByRole('columnheader', { name: 'Visits' });
    await waitFor(() => assert.equal(head.getAttribute('aria-sort'), 'descending'));
    await user.click(await dialog.findByRole('button', { name: 'DE Germany' }));
    await reaches(`${SITE}?f=is,visit:country,DE`);
    await waitFor(() => assert.ok(screen.queryByRole('dialog') === null));
  });

  it('end in full with what is unattributed, and why', async (t) => {
    const { part, user, reaches } = await openPage(t, `${SITE}?panel=channels`);
    const dialog = await part('dialog', 'Channels');
    const why = await dialog.findByRole('link', { name: 'Unattributed · 1 payment, why?' });
    assert.ok(why.closest('tr') === why.closest('tbody')?.lastElementChild);
    await user.click(why);
    await reaches(`${SITE}/payments?state=unattributed`);
  });

  it('draw a map of which countries filter, with a table behind it', async (t) => {
    const { part, user, reaches } = await openPage(t, `${SITE}?tab=map`);
    const places = await part('region', 'Locations');
    await places.findByRole('table', { name: 'Countries of the map' });
    const germany = await places.findByRole('link', { name: /^Germany: 1 visitor/ });
    await user.click(germany);
    await reaches(/f=is,visit:country,DE/);
  });

  it('show hours, bots and dropped events', async (t) => {
    const { part, user } = await openPage(t, SITE);
    const last = await part('region', 'Hours and bots');
    await last.findByRole('table', { name: 'Revenue by hour of the week' });
    await user.click(last.getByRole('button', { name: 'Bots & dropped' }));
    await last.findByRole('rowheader', { name: /^Host not allowed/ });
  });

  it('break goals down by a property, which is chosen from those that there are', async (t) => {
    const { part, user, reaches } = await openPage(t, `${SITE}?tab=properties`);
    const goals = await part('region', 'Goals');
    await user.click(await goals.findByRole('button', { name: 'plan' }));
    await reaches(/property=plan/);
    await user.click(await goals.findByRole('button', { name: 'monthly' }));
    await reaches(/f=is,event:props:plan,monthly/);
    await user.click(goals.getByRole('button', { name: 'All properties' }));
    await user.click(await goals.findByRole('button', { name: 'Details: Properties' }));
    const dialog = await part('dialog', 'Properties');
    await user.click(await dialog.findByRole('button', { name: 'plan' }));
    await (await part('dialog', 'Properties: plan')).findByRole('button', { name: 'monthly' });
  });

  it('are walked by keys', async (t) => {
    const { part, user, reaches } = await openPage(t, SITE);
    await (await part('region', 'Pages')).findByRole('button', { name: '/teas' });
    await user.keyboard('jj{ArrowDown}{Enter}');
    await reaches(/f=is,event:page,\/./);
  });

  it('give the focus of a row that is left out to the next one, or to what is around', async (t) => {
    const { part, user } = await openPage(t, SITE);
    const panel = await part('region', 'Locations');
    await panel.findByRole('button', { name: 'AT Austria' });
    const rows = () => panel.queryAllByRole('button', { name: /^[A-Z]{2} / });
    rows()[0]?.focus();
    for (let [row, next] = rows(); row !== undefined; [row, next] = rows()) {
      await user.keyboard('{Alt>}{Enter}{/Alt}');
      await waitFor(() => assert.ok(!row?.isConnected));
      await waitFor(() => {
        const there = document.activeElement;
        assert.ok(next ? there === next : there?.closest('[aria-label="Locations"]'));
      });
    }
  });

  it('show markup of strangers as text', async (t) => {
    const hostile = '=1+1<img src=x onerror=document.title="taken">';
    const of = { 'visit:source': hostile, 'visit:channel': 'Referral' };
    const visits = [{ at: '2026-11-29 09', visitor: 'Eve', seconds: 1, pages: ['/'], of }];
    const { part } = await openPage(t, `${SITE}?tab=sources`, {
      'POST /api/v1/query': (call) => answerQuery(call, { visits, payments: [] }),
    });
    await (await part('region', FROM)).findByText(hostile);
    assert.ok(document.querySelector('img') === null);
  });
});
