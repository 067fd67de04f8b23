import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { findFaults } from './find-faults.ts';
import { DEMO, type OpenDashboard } from './open-dashboard.ts';
import { shareDashboard } from './share-dashboard.ts';

describe('what people save for a site', () => {
  let dashboard: OpenDashboard;
  let page: Page;
  before(async () => {
    dashboard = await shareDashboard();
    page = dashboard.page;
  });
  after(() => dashboard?.close());

  /** Answers the question that comes before something is deleted. */
  const remove = (name: string) =>
    page
      .getByRole('dialog', { name: `Delete ${name}?` })
      .getByRole('button', { name: `Delete ${name}` })
      .click();

  describe('notes on the chart', () => {
    const circle = (text: string) =>
      page.getByRole('button', { name: new RegExp(`^Note, .*${text}`) });
    const daysAgo = (days: number) =>
      new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

    it('are added from it, and shown to eyes, keys and screen readers', async () => {
      await page.goto(`/${DEMO}`);
      await page.getByRole('button', { name: '+ Note' }).click();
      await page.getByLabel('What happened').fill('New <b>prices</b>');
      await page.getByLabel('Day', { exact: true }).fill(daysAgo(5));
      await page.getByRole('button', { name: 'Add note' }).click();
      await circle('New <b>prices</b>').focus();
      const tooltip = page.locator('[aria-hidden] p', { hasText: 'New <b>prices</b>' });
      await tooltip.waitFor();
      await page.getByRole('button', { name: '+ Note' }).focus();
      await tooltip.waitFor({ state: 'detached' });
      await circle('New').hover();
      await tooltip.waitFor();
      const cell = page.getByRole('cell', { name: 'New <b>prices</b>' });
      await cell.waitFor({ state: 'attached' });
      await page.goto(`/${DEMO}?period=custom&from=2026-01-01&to=2026-01-05`);
      await page.getByRole('table', { name: 'as a table' }).waitFor({ state: 'attached' });
      assert.equal(await circle('New').count(), 0);
    });

    it('are changed and deleted', async () => {
      await page.goto(`/${DEMO}`);
      await circle('New').click();
      await page.getByRole('button', { name: 'Change' }).click();
      await page.getByLabel('What happened').fill('Old prices');
      await page.getByLabel('Time (optional)').fill('14:30');
      await page.getByRole('button', { name: 'Save note' }).click();
      await page.getByText(/14:30/).waitFor();
      await page.getByRole('button', { name: 'Close' }).click();
      await circle('Old prices').click();
      assert.deepEqual(await findFaults(page, '[role=dialog]'), []);
      await page.getByRole('button', { name: 'Delete' }).click();
      await remove('the note');
      await circle('Old').waitFor({ state: 'detached' });
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.goto(`/${DEMO}/settings/people`);
      await page.getByText('Note removed').first().waitFor();
    });
  });

  describe('segments', () => {
    it('are filters with a name, applied and deleted by a click', async () => {
      const filter = 'f=is,visit:source,Google';
      await page.goto(`/${DEMO}?${filter}`);
      await page.getByRole('button', { name: 'Segments' }).click();
      await page.getByLabel('Name').fill('From <b>Google</b>');
      await page.getByLabel('For everybody on this site').check();
      await page.getByRole('button', { name: 'Save these filters' }).click();
      await page.getByRole('button', { name: 'From <b>Google</b> shared', exact: true }).waitFor();
      assert.deepEqual(await findFaults(page, '[role=dialog]'), []);
      await page.goto(`/${DEMO}?period=7d`);
      await page.getByRole('button', { name: 'Segments' }).click();
      await page.getByRole('button', { name: 'From <b>Google</b> shared', exact: true }).click();
      await page.waitForURL(`**/${DEMO}?period=7d&${filter}`);
      await page.goto(`/${DEMO}?period=7d`);
      await page.getByRole('link', { name: 'Attribution' }).waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('option', { name: 'From <b>Google</b>' }).click();
      await page.waitForURL(`**/${DEMO}?period=7d&${filter}`);
      await page.getByRole('button', { name: 'Segments' }).click();
      await page.getByRole('button', { name: 'Rename From' }).click();
      await page.getByLabel('New name of From').fill('Googlers');
      await page.getByRole('button', { name: 'Save the name' }).click();
      const renamed = page.getByRole('button', { name: 'Rename Googlers' });
      await renamed.and(page.locator(':focus')).waitFor();
      await page.getByRole('button', { name: 'Delete Googlers' }).click();
      await remove('Googlers');
      await page.getByText('No segment is saved yet').waitFor();
    });

    it('have a name each', async () => {
      await page.goto(`/${DEMO}?f=is,visit:source,Google`);
      await page.getByRole('button', { name: 'Segments' }).click();
      const name = page.getByLabel('Name', { exact: true });
      const save = page.getByRole('button', { name: 'Save these filters' });
      await name.fill('   ');
      await save.click();
      await page.getByRole('alert').filter({ hasText: 'must not be blank' }).waitFor();
      await name.fill('Searchers');
      await save.click();
      await page.getByRole('button', { name: 'Rename Searchers' }).waitFor();
      await name.fill('searchers');
      await save.click();
      await page.getByRole('alert').filter({ hasText: 'There is already' }).waitFor();
      assert.equal(await name.getAttribute('aria-invalid'), 'true');
      assert.deepEqual(await findFaults(page, '[role=dialog]'), []);
      await page.getByRole('button', { name: 'Delete Searchers' }).click();
      await remove('Searchers');
      await page.getByText('No segment is saved yet').waitFor();
    });
  });

  describe('funnels', () => {
    it('keep a name and a lasting address, and are deleted', async () => {
      const steps = 'step=page,/teas&step=payment&within=7d';
      await page.goto(`/${DEMO}/funnels?${steps}`);
      await page.getByRole('button', { name: 'Saved' }).click();
      await page.getByLabel('Name').fill('To <b>pay</b>');
      await page.getByRole('button', { name: 'Save this funnel' }).click();
      const link = page.getByRole('link', { name: 'To <b>pay</b>', exact: true });
      const target = await link.getAttribute('href');
      assert.deepEqual(await findFaults(page, '[role=dialog]'), []);
      await page.getByRole('heading', { name: 'To <b>pay</b>', level: 1 }).waitFor();
      await page.goto(`${target}?period=7d`);
      await page.waitForURL(`**/${DEMO}/funnels?period=7d&${steps}`);
      await page.getByRole('heading', { name: 'To <b>pay</b>', level: 1 }).waitFor();
      await page.goto(`/${DEMO}?tab=funnels`);
      const row = page.getByRole('row').filter({ hasText: 'To <b>pay</b>' });
      await row.getByText(/^\d.*%$/).waitFor();
      assert.deepEqual(await findFaults(page), []);
      const error = { message: 'The days are too many.', details: [] };
      await page.route('**/query/funnel', (route) =>
        route.fulfill({ status: 400, json: { status: 'error', error } }),
      );
      await page.goto(`/${DEMO}?tab=funnels&period=12mo`);
      await row.getByText('The days are too many.').waitFor();
      assert.deepEqual(await findFaults(page), []);
      await page.unroute('**/query/funnel');
      await page.goto(`/${DEMO}?tab=funnels`);
      await row.getByRole('link').click();
      await page.getByRole('heading', { name: 'To <b>pay</b>', level: 1 }).waitFor();
      await page.getByRole('button', { name: 'Saved' }).click();
      await page.getByRole('button', { name: 'Rename To' }).click();
      await page.getByLabel('New name of To').fill(' ');
      await page.getByRole('button', { name: 'Save the name' }).click();
      await page.getByRole('alert').filter({ hasText: 'must not be blank' }).waitFor();
      assert.deepEqual(await findFaults(page, '[role=dialog]'), []);
      await page.getByLabel('New name of To').fill('Buyers');
      await page.getByRole('button', { name: 'Save the name' }).click();
      await page.getByRole('heading', { name: 'Buyers', level: 1 }).waitFor();
      await page.getByRole('button', { name: 'Delete Buyers' }).click();
      await remove('Buyers');
      await page.getByText('No funnel is saved yet').waitFor();
      await page.goto(target ?? '');
      await page.getByText('This funnel was deleted.').waitFor();
      await page.getByRole('link', { name: 'All funnels' }).click();
      await page.waitForURL(/\/funnels$/);
      await page.goto(`/${DEMO}?tab=funnels`);
      await page.getByText('Funnels that are saved appear here.').waitFor();
    });
  });
});
