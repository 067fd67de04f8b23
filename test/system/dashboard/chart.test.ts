import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Locator } from 'playwright-core';
import { findFaults } from './find-faults.ts';
import { DEMO, forgetKept, type OpenDashboard } from './open-dashboard.ts';
import { shareDashboard } from './share-dashboard.ts';

const FIGURES = 'section[aria-label="Figures for the period"]';

describe('the chart', () => {
  let dashboard: OpenDashboard;
  let cursor: Locator;
  before(async () => {
    dashboard = await shareDashboard();
    cursor = dashboard.page.getByRole('slider', { name: /over time/ });
  });
  after(() => dashboard?.close());

  /** Opens the overview, unless it is there. */
  async function open(search = ''): Promise<void> {
    const { page, server } = dashboard;
    if (page.url() !== `${server.url}/${DEMO}${search}`) await page.goto(`/${DEMO}${search}`);
    await dashboard.page
      .getByRole('table', { name: 'The chart as a table' })
      .waitFor({ state: 'attached' });
  }

  async function dragAcross(from: number, to: number): Promise<void> {
    const { page } = dashboard;
    const box = await cursor.boundingBox();
    assert.ok(box);
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width * from, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * to, y, { steps: 4 });
    await page.mouse.up();
  }

  it('has a table of its numbers for screen readers', async () => {
    await open();
    const table = dashboard.page.getByRole('table', { name: 'The chart as a table' });
    assert.equal(await table.getByRole('row').count(), 31);
    assert.match((await table.getByRole('row').last().textContent()) ?? '', /so far/);
  });

  it('is moved through with the arrow keys, and says each bucket', async () => {
    await open();
    await cursor.focus();
    await cursor.press('Home');
    const first = await cursor.getAttribute('aria-valuetext');
    await cursor.press('ArrowRight');
    assert.notEqual(await cursor.getAttribute('aria-valuetext'), first);
    const said = await dashboard.page.getByRole('status').last().textContent();
    assert.match(said ?? '', /^Visitors \d+, before \d+; Revenue .*Refunds .*Bounce rate/);
  });

  for (const width of [1440, 768, 360]) {
    it(`has a tooltip that holds its numbers and covers less than a quarter, at ${width} px`, async () => {
      const { page } = dashboard;
      await page.setViewportSize({ width, height: 900 });
      await open('?metric=revenue_per_visitor');
      await cursor.focus();
      await cursor.press('End');
      const tooltip = page.locator('div[aria-hidden="true"]', { has: page.locator('dl') });
      const [inner, outer] = [await tooltip.boundingBox(), await cursor.boundingBox()];
      assert.ok(inner && outer && inner.width > 0);
      const share = (inner.width * inner.height) / (outer.width * outer.height);
      assert.ok(share < 0.25, `${share}`);
      const last = await tooltip.locator('dd').last().boundingBox();
      assert.ok(last && last.x + last.width <= inner.x + inner.width, 'its numbers are inside');
      // Keys of the page work while the chart has the focus.
      await cursor.press('2');
      await page.waitForURL((url) => !url.search.includes('metric='));
      await page.setViewportSize({ width: 1440, height: 900 });
    });
  }

  it('zooms into the days that are dragged out, and comes back', async () => {
    const { page } = dashboard;
    await open();
    await dragAcross(0.3, 0.6);
    await page.waitForURL(/period=custom&from=[\d-]+&to=[\d-]+/);
    await cursor.dblclick();
    await page.waitForURL(`**/${DEMO}`);
    await dragAcross(0.3, 0.6);
    await page.waitForURL(/period=custom/);
    await page.keyboard.press('Escape');
    await page.waitForURL(`**/${DEMO}`);
  });

  it('is drawn by the unit that is chosen, and by no unit that does not fit', async () => {
    const { page } = dashboard;
    await open();
    await page.getByRole('button', { name: 'Unit of time: Daily' }).click();
    assert.equal(await page.getByRole('menuitemradio', { name: 'Hourly' }).count(), 0);
    await page.getByRole('menuitemradio', { name: 'Weekly' }).click();
    await page.waitForURL('**/*by=week');
    await page
      .getByRole('rowheader', { name: /^Week of/ })
      .first()
      .waitFor({ state: 'attached' });
  });

  it('hides the bars, and shows them again', async () => {
    await open();
    const bars = dashboard.page.locator(`${FIGURES} svg rect`);
    const parts = dashboard.page.getByRole('button', { name: /New revenue/ });
    assert.ok((await bars.count()) > 10);
    await parts.click();
    assert.equal(await bars.count(), 0);
    await parts.click();
    assert.ok((await bars.count()) > 10);
  });

  it('draws zeros where there is nothing, and no NaN', async () => {
    await open('?period=custom&from=2020-01-01&to=2020-01-20');
    const drawing = dashboard.page.locator(`${FIGURES} svg`);
    assert.doesNotMatch((await drawing.innerHTML()) ?? '', /NaN|undefined/);
  });

  it('fits a phone, and axe finds nothing', async () => {
    const { page } = dashboard;
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`/${DEMO}`);
    await page.getByRole('table', { name: 'The chart as a table' }).waitFor({ state: 'attached' });
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    assert.ok(width <= 360, `the page is ${width} pixels wide`);
    assert.deepEqual(await findFaults(page, FIGURES), []);
    await page.setViewportSize({ width: 1_440, height: 900 });
  });

  it('says what failed, and tries again', async () => {
    const { page } = dashboard;
    await forgetKept(page, dashboard.server.url);
    await page.route('**/api/v1/query', async (route) => {
      const isChart = route.request().postData()?.includes('time_labels');
      return isChart ? route.fulfill({ status: 500, body: '{}' }) : route.continue();
    });
    await page.goto(`/${DEMO}`);
    const again = page.locator(FIGURES).getByRole('button', { name: 'Try again' });
    await again.waitFor();
    await page.unroute('**/api/v1/query');
    await again.click();
    await page.getByRole('table', { name: 'The chart as a table' }).waitFor({ state: 'attached' });
  });
});
