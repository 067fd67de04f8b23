import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type HistoryStub, startHistoryStub } from '../../../providers/stub-of-history.ts';
import { addSite } from '../../../server/add-site.ts';
import { findFaultsDayAndNight } from '../find-faults.ts';
import { type OpenDashboard, openDashboard } from '../open-dashboard.ts';

const SITE = 'history.example';

describe('the history of a connection, in the dashboard', () => {
  let stub: HistoryStub;
  let dashboard: OpenDashboard;
  before(async () => {
    stub = await startHistoryStub('stripe');
    stub.isAnyTime = true;
    dashboard = await openDashboard({ visitors: 0, env: { TRUSTED_PROVIDER_APIS: stub.url } });
    await addSite(dashboard.server.dataDir, SITE, { currency: 'EUR' });
  });
  after(async () => {
    await dashboard?.close();
    await stub?.stop();
  });

  it('is offered with a key, and says how far it is', async () => {
    const { page } = dashboard;
    stub.judge = (path) => (path.startsWith('/v1/disputes') ? 403 : undefined);
    await page.goto(`/${SITE}/settings/providers/new`);
    await page.getByRole('button', { name: 'Stripe' }).click();
    await page.getByRole('button', { name: 'The webhook is there' }).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1);
    const moved = await page.request.patch(`/api/v1/sites/${SITE}/providers/${id}`, {
      data: { fields: { base_url: stub.url } },
    });
    assert.equal(moved.status(), 200, await moved.text());
    await page.getByRole('button', { name: 'The webhook is there' }).click();
    await page.getByLabel('Signing secret', { exact: true }).fill('whsec_5f1c2a9e7b3d4f60');
    await page.getByLabel('Restricted API key (optional)').fill('rk_live_5f1c2a9e7b3d4f60');
    await page.getByRole('button', { name: 'Save and go on' }).click();
    await page.getByText(/^Read everything: \d pages, done /).waitFor();
    await page.getByText('The list of disputes is left out').waitFor();
    assert.deepEqual(await findFaultsDayAndNight(page), []);
    await page.getByRole('button', { name: 'Finish later' }).click();
    await page.getByText('8 of 8 payments found their visitor: 5 by the payment itself').waitFor();
    await page.getByRole('heading', { name: 'History', exact: true }).waitFor();
  });
});
