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
      // The form's dialog may still be closing.
      await page.getByRole('dialog', { name: 'Notes' }).getByLabel('Close').click();
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

  it('of filters and funnels has nothing that axe finds', async () => {
    for (const [path, button, save] of [
      ['people?f=is,visit:source,Google', 'Segments', 'Save these filters'],
      ['funnels?step=page,/teas&step=payment', 'Saved', 'Save this funnel'],
    ] as const) {
      await page.goto(`/${DEMO}/${path}`);
      await page.getByRole('button', { name: button }).click();
      const name = page.getByLabel('Name', { exact: true });
      await name.fill('   ');
      await page.getByRole('button', { name: save }).click();
      await page.getByRole('alert').filter({ hasText: 'must not be blank' }).waitFor();
      await name.fill('To <b>pay</b>');
      await page.getByRole('button', { name: save }).click();
      await page.getByRole('button', { name: 'Rename To' }).click();
      await page.getByLabel('New name of To').waitFor();
      assert.deepEqual(await findFaults(page, '[role=dialog]'), [], path);
      await page.getByLabel('New name of To').fill('Buyers');
      await page.getByRole('button', { name: 'Save the name' }).click();
      await page.getByRole('button', { name: 'Delete Buyers' }).click();
      await remove('Buyers');
      await page.getByRole('button', { name: 'Rename Buyers' }).waitFor({ state: 'detached' });
    }
  });
});
