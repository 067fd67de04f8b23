import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { waitUntil } from '../../server/wait-until.ts';
import { findFaults, findFaultsDayAndNight } from './find-faults.ts';
import { DEMO, type OpenDashboard } from './open-dashboard.ts';
import { shareDashboard } from './share-dashboard.ts';
import { askApi } from './steps/ask-api.ts';

/** What strangers may put into a link: markup, and a spreadsheet formula. */
const PAYLOAD = '=1+1<img src=x onerror=document.title="taken">';

describe('the panels of the first view', () => {
  let dashboard: OpenDashboard;
  before(async () => {
    dashboard = await shareDashboard();
    await visitAs(dashboard.server.url, '/', 'elsewhere.example');
    await visitAs(dashboard.server.url, `/?utm_source=${encodeURIComponent(PAYLOAD)}`);
    await waitUntil(
      () => query(dashboard, ['visit:source'], { date_range: 'day' }),
      (rows) => rows.some(([source]) => source === PAYLOAD),
    );
  });
  after(() => dashboard?.close());

  const open = async (search = ''): Promise<Page> => {
    await dashboard.page.goto(`/${DEMO}${search}`);
    return dashboard.page;
  };

  it('show what changed in each row, and further breakdowns behind a menu', async () => {
    const page = await open();
    const panel = panelOf(page, 'Where visitors come from');
    await panel
      .locator('small')
      .filter({ hasText: /▲|▼|±|new/ })
      .first()
      .waitFor();
    await page.keyboard.press('x');
    await panel.locator('small').first().waitFor({ state: 'detached' });
    await panel.getByRole('button', { name: /^More/ }).click();
    await page.getByRole('menuitemradio', { name: 'Mediums' }).click();
    await panel.getByRole('button', { name: 'Mediums', pressed: true }).waitFor();
    await panel.getByRole('row', { name: /cpc/ }).waitFor();
  });

  it('have totals and changes in full, and say what lies to the right', async () => {
    const page = await open('?panel=sources');
    const dialog = page.getByRole('dialog');
    await dialog.locator('tfoot th').filter({ hasText: 'Total' }).waitFor();
    await dialog.locator('tbody small').first().waitFor();
    const more = dialog.getByRole('button', { name: /more columns to the right/ });
    const before = await more.innerText();
    await more.click();
    await waitUntil(
      () => more.innerText(),
      (after) => Number.parseInt(after, 10) < Number.parseInt(before, 10),
    );
    const [name] = await dialog.locator('tbody th').all();
    const [row, box] = [await name?.boundingBox(), await dialog.getByRole('table').boundingBox()];
    assert.ok((row?.x ?? 0) > (box?.x ?? 0), 'the names stay in view');
  });

  it('show what the API gives, the most revenue first', async () => {
    const page = await open();
    const rows = await query(dashboard, ['visit:channel'], { order_by: [['revenue', 'desc']] });
    const named = rows.filter(([channel]) => channel !== 'Unattributed').slice(0, 6);
    const shown = panelOf(page, 'Where visitors come from').locator('[data-row]');
    await shown.first().waitFor();
    const names = await shown.allTextContents();
    assert.deepEqual(
      names.slice(0, named.length),
      named.map(([channel]) => channel),
    );
  });

  it('filter by a click on a row, and leave out by one with Alt', async () => {
    const page = await open();
    const countries = panelOf(page, 'Locations');
    await countries.getByRole('button', { name: 'DE Germany' }).click();
    await page.waitForURL('**/*f=is,visit:country,DE');
    await countries.getByText('1 of 1').waitFor();
    await page.goBack();
    await countries.getByRole('button', { name: 'AT Austria' }).click({ modifiers: ['Alt'] });
    await page.waitForURL('**/*f=is_not,visit:country,AT');
    await countries.getByRole('button', { name: 'AT Austria' }).waitFor({ state: 'detached' });
  });

  it('are sorted and switched in the address, which a reload keeps', async () => {
    const page = await open();
    const channels = panelOf(page, 'Where visitors come from');
    await channels.getByRole('button', { name: 'Sources' }).click();
    await channels.getByRole('button', { name: /^Compare by/ }).click();
    await page.getByRole('menuitemradio', { name: 'Conversions' }).click();
    await channels.getByRole('button', { name: 'Visitors', exact: true }).click();
    await page.waitForURL('**/*tab=sources,conversions,visitors');
    await page.reload();
    await channels.locator('[aria-sort=descending]', { hasText: 'Visitors' }).waitFor();
    await channels.getByRole('columnheader', { name: 'Conversions' }).waitFor();
  });

  it('lead from what is unattributed to the payments', async () => {
    const page = await open();
    await panelOf(page, 'Where visitors come from')
      .getByRole('link', { name: /^Unattributed · \d+ payments?, why\?$/ })
      .click();
    await page.waitForURL(`**/${DEMO}/payments?state=unattributed`);
  });

  it('open in full with every metric, a search and an order', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Details: Countries' }).click();
    await page.waitForURL('**/*panel=countries');
    const dialog = page.getByRole('dialog', { name: 'Countries' });
    await dialog.getByRole('columnheader', { name: 'Visits to purchase' }).waitFor();
    await dialog.getByRole('searchbox').fill('germ');
    await dialog.getByText('1 of 1').waitFor();
    assert.match(page.url(), /search=germ/);
    await dialog.getByRole('button', { name: 'Visits', exact: true }).click();
    await dialog.locator('[aria-sort=descending]', { hasText: 'Visits' }).waitFor();
    await dialog.getByRole('button', { name: 'DE Germany' }).click();
    await page.waitForURL('**/*f=is,visit:country,DE');
    await dialog.waitFor({ state: 'detached' });
  });

  it('end in full with what is unattributed, and why', async () => {
    const page = await open('?panel=channels');
    const dialog = page.getByRole('dialog', { name: 'Channels' });
    const last = dialog.locator('tbody tr').last();
    await last.getByRole('rowheader', { name: /^Unattributed · \d+ payments?, why\?$/ }).waitFor();
    assert.equal(await last.getByRole('cell').nth(1).textContent(), '–');
    await last.getByRole('link').click();
    await page.waitForURL(`**/${DEMO}/payments?state=unattributed`);
  });

  it('show what strangers send as text, and defuse formulas in files', async () => {
    const page = await open(
      `?tab=sources&f=${encodeURIComponent('contains,visit:source,onerror')}`,
    );
    await panelOf(page, 'Where visitors come from').getByText(PAYLOAD).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV: Sources' }).click(),
    ]);
    assert.equal(download.suggestedFilename(), `${DEMO}-sources.csv`);
    const text = await readFile(await download.path(), 'utf8');
    assert.match(text, /^visit:source,visitors,revenue \(EUR\)/);
    assert.match(text, /"?'=1\+1/);
    assert.notEqual(await page.title(), 'taken');
  });

  it('draw a map of which countries filter, with a table behind it', async () => {
    const page = await open('?tab=map');
    const places = panelOf(page, 'Locations');
    await places.getByRole('table', { name: 'Countries of the map' }).waitFor();
    const germany = places.getByRole('link', { name: /^Germany: [\d,]+ visitors/ });
    await germany.focus();
    await places.getByText('Germany', { exact: true }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/*f=is,visit:country,DE');
  });

  it('tell of hours, bots and dropped events', async () => {
    const page = await open();
    const last = panelOf(page, 'Hours and bots');
    await last.getByRole('table', { name: 'Revenue by hour of the week' }).waitFor();
    await last.getByRole('button', { name: 'Bots & dropped' }).click();
    await last.getByRole('rowheader', { name: /^Host not allowed/ }).waitFor();
  });

  it('break goals down by a property, which is chosen from those that there are', async () => {
    const page = await open('?tab=properties');
    const goals = panelOf(page, 'Goals');
    await goals.getByRole('button', { name: 'form', exact: true }).waitFor();
    await goals.getByRole('button', { name: 'plan', exact: true }).click();
    await goals.getByRole('button', { name: 'monthly' }).waitFor();
    assert.match(page.url(), /property=plan/);
    await goals.getByRole('button', { name: 'monthly' }).click();
    await page.waitForURL(/f=is,event:props:plan,monthly/);
    await goals.getByRole('button', { name: 'All properties' }).click();
    await goals.getByRole('button', { name: 'Details: Properties' }).click();
    const dialog = page.getByRole('dialog', { name: 'Properties' });
    await dialog.getByRole('button', { name: 'plan' }).click();
    await page.getByRole('dialog', { name: 'Properties: plan' }).waitFor();
    await dialog.getByRole('button', { name: 'monthly' }).waitFor();
    assert.deepEqual(await findFaults(page, '[role=dialog]'), []);
  });

  it('are walked by keys', async () => {
    const page = await open();
    await panelOf(page, 'Pages').locator('[data-row]').first().waitFor();
    for (const key of ['j', 'j', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    await page.waitForURL(/f=is,event:page,\/./);
  });

  it('fail one by one, and try again', async () => {
    const page = await open('?period=7d');
    await page.route('**/api/v1/query', (route) =>
      route.request().postData()?.includes('"event:page"') === true
        ? route.fulfill({ status: 500, json: { error: { message: 'The disk is full.' } } })
        : route.fallback(),
    );
    await page.reload();
    const pages = panelOf(page, 'Pages');
    await pages.getByText('The disk is full.').waitFor();
    await panelOf(page, 'Devices').locator('[data-row]').first().waitFor();
    await page.unroute('**/api/v1/query');
    await pages.getByRole('button', { name: 'Try again' }).click();
    await pages.locator('[data-row]').first().waitFor();
  });

  it('have nothing that axe finds, by day and by night', async () => {
    const found: string[] = [];
    for (const search of ['?tab=map&tab=bots&tab=properties', '?panel=countries']) {
      const page = await open(search);
      await page
        .getByText(/^\d+ of \d+$/)
        .first()
        .waitFor();
      found.push(...(await findFaultsDayAndNight(page)));
    }
    assert.deepEqual(found, []);
  });
});

function panelOf(page: Page, name: string) {
  return page.getByRole('region', { name, exact: true });
}

/** A pageview as reported by a browser. */
async function visitAs(url: string, path: string, host: string = DEMO): Promise<void> {
  await fetch(`${url}/api/v1/events`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
    },
    body: JSON.stringify({
      site: DEMO,
      type: 'pageview',
      service_visitor_id: 'mallory',
      url: `https://${host}${path}`,
    }),
  });
}

/** The dimensions in the rows of a query for 30 days. */
async function query(
  dashboard: OpenDashboard,
  dimensions: readonly string[],
  more: object,
): Promise<readonly string[][]> {
  const rows = await askApi<{ dimensions: string[] }>(dashboard, '/api/v1/query', {
    ...{ metrics: ['revenue', 'visitors'], date_range: '30d', dimensions },
    ...more,
  });
  return rows.map((row) => row.dimensions);
}
