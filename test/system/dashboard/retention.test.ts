import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { waitUntil } from '../../server/wait-until.ts';
import { findFaultsDayAndNight } from './find-faults.ts';
import { DEMO, type OpenDashboard } from './open-dashboard.ts';
import { shareDashboard } from './share-dashboard.ts';

describe('the retention page', () => {
  let dashboard: OpenDashboard;
  let page: Page;
  before(async () => {
    dashboard = await shareDashboard();
    page = dashboard.page;
  });
  after(() => dashboard?.close());

  const cellsOf = (name: RegExp) =>
    page.getByRole('row', { name }).getByRole('cell').allTextContents();

  it('shows who comes back, by weeks and months', async () => {
    await page.goto(`/${DEMO}/retention`);
    await page.getByRole('columnheader', { name: 'Week 11' }).waitFor();
    const [visitors, first, second] = await cellsOf(/^All/);
    assert.ok(Number(visitors) > 200, `${visitors} visitors`);
    assert.equal(first, '100%');
    assert.match(second ?? '', /^\d+(\.\d)?%$/);
    await page.getByRole('button', { name: 'Months' }).click();
    await page.waitForURL('**/retention?unit=month');
    await page.getByRole('columnheader', { name: 'Month 1', exact: true }).waitFor();
  });

  it('shows what customers are worth, and goes back', async () => {
    await page.goto(`/${DEMO}/retention`);
    await page.getByRole('button', { name: 'Lifetime value' }).click();
    await page.waitForURL('**/retention?show=ltv');
    await page.getByRole('columnheader', { name: 'Customers' }).waitFor();
    assert.match((await cellsOf(/^All/))[1] ?? '', /^€\d/);
    const unended = page.getByRole('cell', { name: 'Nobody’s first month is over yet' });
    assert.equal(await unended.getByText('…').count(), await unended.count());
    await page.goBack();
    await page.getByRole('columnheader', { name: 'Visitors' }).waitFor();
  });

  it('is of those who pass the filters of the page, which stand above it', async () => {
    const visitors = async () => {
      await page.getByRole('columnheader', { name: 'Week 11' }).waitFor();
      return Number((await cellsOf(/^All/))[0]);
    };
    await page.goto(`/${DEMO}/retention`);
    const all = await visitors();
    await page.goto(`/${DEMO}/retention?f=is,visit:channel,Direct`);
    const direct = await visitors();
    assert.ok(direct > 0 && direct < all, `${direct} of ${all}`);
    await page.getByRole('button', { name: 'Remove filter: Channel is Direct' }).click();
    await page.waitForURL(`**/${DEMO}/retention`);
  });

  it('shows on a phone which report it is, and that a table goes on', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`/${DEMO}/retention?show=mrr`);
    await page.getByRole('columnheader', { name: 'MRR' }).waitFor();
    const tab = await page.getByRole('button', { name: 'Recurring revenue' }).boundingBox();
    assert.ok(tab && tab.x >= 0 && tab.x + tab.width <= 360, `the tab is at ${tab?.x}`);
    await page.goto(`/${DEMO}/retention`);
    const grid = `document.querySelector('[aria-label="Visitors who come back"]')`;
    await page.getByRole('region', { name: 'Visitors who come back' }).waitFor();
    const fade = () => page.evaluate(`getComputedStyle(${grid}, '::after').content`);
    await waitUntil(fade, (content) => content !== 'none');
    await page.evaluate(`${grid}.scrollLeft = 9999`);
    await waitUntil(fade, (content) => content === 'none');
    await page.setViewportSize({ width: 1_440, height: 900 });
  });

  it('has nothing that axe finds, by day and by night', async () => {
    for (const show of ['visits', 'payers', 'ltv', 'mrr']) {
      await page.goto(`/${DEMO}/retention?show=${show}`);
      await page.getByRole('row').nth(1).waitFor();
      assert.deepEqual(await findFaultsDayAndNight(page), [], show);
    }
  });
});
