import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { findFaults } from './find-faults.ts';
import { DEMO, type OpenDashboard, openDashboard } from './open-dashboard.ts';

/** The whole demo, even on the busiest machine. */
const FILLED_WITHIN_MS = 600_000;

describe('the demo shop in the dashboard', () => {
  let dashboard: OpenDashboard;
  before(async () => {
    dashboard = await openDashboard({ visitors: 0 });
  });
  after(() => dashboard?.close());

  it('is one click away, and shows how far it is', async () => {
    const { page } = dashboard;
    await page.goto('/');
    await page.getByRole('button', { name: 'Open the demo shop' }).click();
    await page.getByRole('progressbar', { name: 'Filled' }).waitFor();
    assert.deepEqual(await findFaults(page), []);
    await page.waitForURL(`**/${DEMO}`, { timeout: FILLED_WITHIN_MS });
    await page.getByRole('complementary', { name: 'Demo' }).waitFor();
    await page.getByText('Organic Search').first().waitFor();
    assert.deepEqual(await findFaults(page), []);
  });

  it('is not offered again, nor filled twice', async () => {
    const { page } = dashboard;
    const answer = await page.request.post('/api/v1/demo', {
      headers: { origin: dashboard.server.url },
      data: {},
    });
    assert.equal(answer.status(), 202);
    assert.equal(((await answer.json()) as { state: string }).state, 'ready');
    await page.goto('/?add=1');
    await page.getByRole('heading', { name: 'Add a site' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Open the demo shop' }).count(), 0);
  });

  it('is gone after a question', async () => {
    const { page } = dashboard;
    await page.goto(`/${DEMO}`);
    const remove = page.getByRole('button', { name: 'Remove the demo' });
    await remove.click();
    const question = page.getByRole('dialog', { name: 'Remove the demo?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    await remove.click();
    assert.deepEqual(await findFaults(page), []);
    await question.getByRole('button', { name: 'Remove the demo' }).click();
    await page.getByRole('heading', { name: 'Your first site' }).waitFor();
    await page.getByRole('button', { name: 'Open the demo shop' }).waitFor();
  });

  it('is on the audit log of the server, added and removed', async () => {
    const { page } = dashboard;
    await page.goto('/account');
    const log = page.locator('section').filter({ hasText: 'Audit log of the server' });
    await log.getByText(DEMO).first().waitFor();
    const [removed, added] = await log.getByRole('listitem').allInnerTexts();
    assert.match(removed ?? '', /^Site removed demo\.example\s+.* · ada@tea\.example$/);
    assert.match(added ?? '', /^Demo shop added demo\.example\s+.* · ada@tea\.example$/);
    assert.deepEqual(await findFaults(page), []);
  });

  it('is nothing that strangers see or start', async () => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const answer = await fetch(`${dashboard.server.url}/api/v1/demo`, { method });
      assert.equal(answer.status, 401, method);
    }
  });
});
