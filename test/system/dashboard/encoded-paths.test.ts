import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { createKey } from '../../server/add-site.ts';
import { callerOf } from '../../server/caller.ts';
import { waitUntil } from '../../server/wait-until.ts';
import { DEMO, type OpenDashboard } from './open-dashboard.ts';
import { shareDashboard } from './share-dashboard.ts';
import { askApi } from './steps/ask-api.ts';

const STORED = '/%C3%BCber-uns/%C3%A4ltere%20100%25';
const SHOWN = '/über-uns/ältere 100%25';
const OTHER = '/%C3%BCber-tee';
const FILTER = `f=is,event:page,${STORED.replaceAll('%', '%25')}`;

describe('pages with percent-encoded paths, and parts of names', () => {
  let dashboard: OpenDashboard;
  let page: Page;
  before(async () => {
    dashboard = await shareDashboard();
    page = dashboard.page;
    const { url, dataDir } = dashboard.server;
    const shop = callerOf(url, DEMO, await createKey(dataDir, DEMO));
    for (const visitor of [randomUUID(), randomUUID(), randomUUID()]) {
      await shop.pageview(visitor, `${STORED}?utm_source=Letter%20of%20%25C3%25A4ltere`);
    }
    await shop.pageview(randomUUID(), OTHER);
    await waitUntil(
      () => askApi(dashboard, '/api/v1/query', countOf(['is', 'event:page', [STORED, OTHER]])),
      (rows) => rows.length === 2,
    );
  });
  after(() => dashboard?.close());

  const visitors = (count: number) => page.getByRole('button', { name: `Visitors ${count}` });
  const addFilter = async (dimension: string, text: string) => {
    await page.goto(`/${DEMO}/people?period=day`);
    await page.getByRole('button', { name: '+ Filter' }).click();
    await page.getByLabel('Filter by').selectOption(dimension);
    await page.getByLabel('Values').fill(text);
    await page.keyboard.press('Enter');
  };
  const filters = () => new URL(page.url()).searchParams.getAll('f');

  it('filter by a click on their row, and by a link to that', async () => {
    await page.goto(`/${DEMO}?period=day&f=contains,event:page,ltere`);
    const pages = page.getByRole('region', { name: 'Pages', exact: true });
    await pages.getByRole('button', { name: SHOWN }).click();
    await page.waitForURL((url) =>
      url.searchParams.getAll('f').includes(`is,event:page,${STORED}`),
    );
    await visitors(3).waitFor();
    await page.goto(`/${DEMO}?period=day&${FILTER}`);
    await visitors(3).waitFor();
    await page.getByRole('button', { name: `Remove filter: Page is ${SHOWN}` }).waitFor();
  });

  it('are found by the path that people read, typed whole', async () => {
    await addFilter('Page', '/Über-uns/ältere 100%25');
    await page.waitForURL((url) => url.searchParams.has('f'));
    assert.deepEqual(filters(), [`is,event:page,${STORED}`]);
  });

  it('are found by a part that only one has, in any case', async () => {
    await addFilter('Page', 'ÄLTERE');
    await page.waitForURL((url) => url.searchParams.has('f'));
    assert.deepEqual(filters(), [`is,event:page,${STORED}`]);
    await addFilter('Source', 'letter of ');
    await page.waitForURL((url) => url.searchParams.has('f'));
    assert.deepEqual(filters(), ['is,visit:source,Letter of ältere']);
    await page.getByRole('link', { name: 'Overview' }).click();
    await visitors(3).waitFor();
  });

  it('are all found by a part that several have, and the form says so', async () => {
    await page.goto(`/${DEMO}/people?period=day`);
    await page.getByRole('button', { name: '+ Filter' }).click();
    await page.getByLabel('Filter by').selectOption('Page');
    await page.getByLabel('Values').fill('Über');
    await page.getByText('Applied as “Page contains über”.').waitFor();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL((url) => url.searchParams.has('f'));
    assert.deepEqual(filters(), ['contains,event:page,%C3%BCber']);
    await page.getByRole('button', { name: 'Remove filter: Page contains über' }).waitFor();
    await page.getByRole('link', { name: 'Overview' }).click();
    await visitors(4).waitFor();
  });

  it('start journeys, chosen or typed', async () => {
    for (const typed of ['ältere', '/über-uns/ältere 100%25']) {
      await page.goto(`/${DEMO}/journeys?period=day`);
      await page.getByRole('button', { name: /Start elsewhere/ }).click();
      await page.getByLabel('Find a page or goal').fill(typed);
      await page.getByRole('button', { name: SHOWN, exact: true }).first().click();
      await page.waitForURL((url) => url.searchParams.get('start') === `page,${STORED}`);
      const start = page.getByRole('region', { name: 'Paths' }).getByRole('listitem').first();
      await start.filter({ hasText: /^\/über-uns\/ältere 100%253 people/ }).waitFor();
    }
  });

  it('and payments whose id has a percent sign are opened', async () => {
    const { url, dataDir } = dashboard.server;
    const shop = callerOf(url, DEMO, await createKey(dataDir, DEMO));
    const id = 'sale/100%41 %2F';
    await waitUntil(
      () => shop.payment({ transaction_id: id, amount: 12.5, currency: 'EUR' }),
      ({ status }) => status === 200, // The server learns of a key within a second.
    );
    await page.goto(`/${DEMO}/payments/${encodeURIComponent(id)}`);
    await page.getByRole('heading', { level: 1, name: '€12.50' }).waitFor();
  });
});

function countOf(filter: readonly unknown[]) {
  const pages = { metrics: ['visitors'], dimensions: ['event:page'] };
  return { ...pages, date_range: 'day', filters: [filter] };
}
