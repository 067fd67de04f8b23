import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { waitUntil } from '../../server/wait-until.ts';
import { findFaultsDayAndNight } from './find-faults.ts';
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
