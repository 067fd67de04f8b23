import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { waitUntil } from '../../server/wait-until.ts';
import { findFaultsDayAndNight } from '../dashboard/find-faults.ts';
import { type OpenDashboard, openDashboard } from '../dashboard/open-dashboard.ts';

describe('several sites as one', () => {
  let dashboard: OpenDashboard;
  let page: Page;

  before(async () => {
    dashboard = await openDashboard({ visitors: 200 });
    page = dashboard.page;
    const { origin } = new URL(dashboard.server.url);
    const quiet = { domain: 'quiet.example', currency: 'USD', timezone: 'Asia/Tokyo' };
    await page.request.post('/api/v1/sites', { data: quiet, headers: { origin } });
  });
  after(() => dashboard?.close());

  const total = () => page.getByRole('row', { name: /^Total/ });
  const ofDemo = () => page.getByRole('row', { name: /demo\.example/ });
  const figuresOf = async (row: ReturnType<typeof total>) =>
    (await row.getByRole('cell').allTextContents()).map((text) =>
      text.replace(/([▲▼±]|new).*/, ''),
    );

  it('are ticked in the list, and their address can be kept', async () => {
    await page.goto('/?period=90d');
    await page.getByLabel('Add up demo.example').check();
    await page.getByLabel('Add up quiet.example').check();
    await page.getByRole('link', { name: 'See 2 sites as one' }).click();
    await page.getByRole('heading', { name: '2 sites as one' }).waitFor();
    assert.equal(new URL(page.url()).search, '?sites=demo.example,quiet.example&period=90d');
    await page.reload();
    await page.getByRole('heading', { name: '2 sites as one' }).waitFor();
  });

  it('add up to a total, in a currency of choice', async () => {
    await total().waitFor();
    assert.deepEqual(await figuresOf(total()), await figuresOf(ofDemo()));
    const [visitors] = await figuresOf(total());
    await page.getByRole('button', { name: new RegExp(`^Visitors ${visitors}`) }).waitFor();
    await page.getByRole('button', { name: 'Currency: EUR' }).click();
    await page.getByRole('menuitemradio', { name: 'GBP' }).click();
    await total().getByText('£').first().waitFor();
  });

  it('are shown by channel and source', async () => {
    await page.getByRole('region', { name: 'Sources' }).getByText('Google').first().waitFor();
    await page.getByRole('region', { name: 'Channels' }).getByText('Direct').first().waitFor();
  });

  it('are filtered alike, by key or button, in the list as well', async () => {
    const [all] = await figuresOf(total());
    await page.keyboard.press('g');
    await page.keyboard.press('p'); // They have no payments of their own to go to.
    await page.keyboard.press('f');
    const form = page.getByRole('dialog');
    await form.getByLabel('Filter by').selectOption({ label: 'Country' });
    await form.getByRole('checkbox', { name: /^Germany/ }).check();
    await form.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL(/\/sites\?.*f=is,visit:country,DE/);
    const isFewer = ([visitors = '']: string[]) => visitors !== all && visitors !== '';
    await waitUntil(() => figuresOf(total()), isFewer);
    assert.deepEqual(await figuresOf(total()), await figuresOf(ofDemo()));
    await page.getByRole('link', { name: 'Choose others' }).click();
    await page.getByRole('button', { name: 'Remove filter: Country is Germany' }).click();
    await page.getByRole('link', { name: /^See 2 sites/ }).click();
    await waitUntil(
      () => figuresOf(total()),
      ([visitors]) => visitors === all,
    );
  });

  it('are named in full on a phone', async () => {
    const name = page.getByRole('rowheader', { name: 'Organic Search' }).first();
    await page.setViewportSize({ width: 360, height: 800 });
    await name.waitFor();
    const { width = 0 } = (await name.boundingBox()) ?? {};
    assert.ok(width > 200, `${width} px`);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('are saved as sets in the browser', async () => {
    await page.getByRole('button', { name: 'Saved sets' }).click();
    await page.getByLabel('Name').fill('Shops');
    await page.getByRole('button', { name: 'Save these sites' }).click();
    await page.goto('/sites');
    await page.getByRole('button', { name: 'Saved sets' }).click();
    await page.getByRole('link', { name: 'Shops' }).click();
    await page.waitForURL(/sites=demo\.example,quiet\.example/);
  });

  it('have nothing that axe finds, by day and by night', async () => {
    for (const path of ['/', '/sites']) {
      await page.goto(path);
      if (path !== '/') await total().waitFor();
      assert.deepEqual(await findFaultsDayAndNight(page), []);
    }
  });
});
