import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import Stripe from 'stripe';
import { charge, type StripeEvent } from '../../../providers/stripe-world.ts';
import { addCaller } from '../../../server/caller.ts';
import { waitUntil } from '../../../server/wait-until.ts';
import { findFaultsDayAndNight } from '../find-faults.ts';
import { type OpenDashboard, openViewer } from '../open-dashboard.ts';
import { shareDashboard } from '../share-dashboard.ts';
import { findCut } from '../steps/find-cut.ts';

const SITE = 'tills.example';
const SECRET = 'whsec_5f1c2a9e7b3d4f60a1b2c3d4';
const stripe = new Stripe('sk_test_of_nobody');

describe('the payment providers of a site', () => {
  let dashboard: OpenDashboard;
  let page: Page;
  before(async () => {
    dashboard = await shareDashboard();
    page = dashboard.page;
    await addCaller(dashboard.server.url, dashboard.server.dataDir, SITE);
  });
  after(() => dashboard?.close());

  const path = `/${SITE}/settings/providers`;
  const idOf = () => new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const post = async (id: string, body: string, headers: Record<string, string>) => {
    const url = `${dashboard.server.url}/webhooks/${id}`;
    return (await fetch(url, { method: 'POST', body, headers })).status;
  };

  /** Sends an event as Stripe does, with the signature of its own package. */
  const send = (id: string, event: StripeEvent) => {
    const payload = JSON.stringify(event);
    const signature = stripe.webhooks.generateTestHeaderString({ payload, secret: SECRET });
    return post(id, payload, { 'stripe-signature': signature });
  };
  const now = () => Math.floor(Date.now() / 1_000);

  it('are connected in three steps, and the first event is seen to arrive', async () => {
    await page.goto(path);
    await page.getByRole('link', { name: 'Connect a provider' }).click();
    await page.getByRole('button', { name: 'Shopify' }).waitFor();
    assert.equal(await page.getByRole('main').getByRole('listitem').count(), 14);
    assert.deepEqual(await findFaultsDayAndNight(page), []);
    await page.getByRole('button', { name: 'Stripe' }).click();

    await page.getByRole('heading', { name: 'Step 1 of 3: Create the webhook' }).waitFor();
    const id = idOf();
    const address = page.getByRole('region', { name: 'The webhook’s address' });
    assert.ok((await address.innerText()).endsWith(`/webhooks/${id}`));
    const clicks = page.getByRole('list', { name: 'What to click' }).getByRole('listitem');
    assert.deepEqual(await clicks.allInnerTexts(), ['Workbench', 'Webhooks', 'Add destination']);
    await page.getByText('charge.succeeded').last().waitFor();
    assert.deepEqual(await findFaultsDayAndNight(page), []);
    await page.getByRole('button', { name: 'The webhook is there' }).click();

    await page.getByLabel('Signing secret', { exact: true }).fill('sk_live_not_this_one');
    await page.getByRole('button', { name: 'Save and go on' }).click();
    await page.getByText('Signing secret must look like whsec_…').waitFor();
    assert.deepEqual(await findFaultsDayAndNight(page), []);
    await page.getByLabel('Signing secret', { exact: true }).fill(SECRET);
    await page.getByRole('button', { name: 'Save and go on' }).click();

    const line = page.getByRole('region', { name: 'The line' });
    assert.match(await line.innerText(), /service_visitor_id: cookies\.service_visitor_id/);
    await page.getByText('Waiting for the first event.').waitFor();
    assert.equal(await send(id, charge('till', now())), 200);
    await page.getByText(/^.*An event has arrived: charge\.succeeded/).waitFor();
    assert.deepEqual(await findFaultsDayAndNight(page), []);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('rowheader', { name: 'charge.succeeded' }).waitFor();
    await page.getByText('0 of 1 payment found their visitor.').waitFor();
  });

  it('pass a test, whose steps are shown', async () => {
    await page.getByRole('button', { name: 'Send a test event' }).click();
    const steps = page.getByRole('list', { name: 'Steps of the test' }).getByRole('listitem');
    await steps.nth(3).waitFor();
    assert.equal(await steps.getByRole('img', { name: 'Good' }).count(), 4);
    assert.deepEqual(await findFaultsDayAndNight(page), []);
  });

  it('say what a test cannot prove', async () => {
    const before = page.url();
    await page.goto(`${path}/new`);
    await page.getByRole('button', { name: 'PayPal' }).click();
    await page.getByRole('button', { name: 'The webhook is there' }).click();
    await page.getByLabel('Webhook ID', { exact: true }).fill('5GP028458E2496506');
    await page.getByRole('button', { name: 'Save and go on' }).click();
    await page.getByRole('button', { name: 'Send a test event' }).click();
    const steps = page.getByRole('list', { name: 'Steps of the test' });
    await steps.getByText('Only PayPal itself can sign').waitFor();
    assert.equal(await steps.getByRole('img', { name: 'Bad' }).count(), 1);
    await page.goto(before);
  });

  it('say of a payment without a visitor which line is missing', async () => {
    await page.goto(`/${SITE}/payments/pi_till`);
    await page.getByText('The events of Stripe carry no visitor id for it').waitFor();
    const line = page.getByRole('region', { name: 'The line' });
    assert.match(await line.innerText(), /service_visitor_id/);
    assert.deepEqual(await findFaultsDayAndNight(page), []);
    await page.getByRole('link', { name: 'The connection' }).click();
    await page.getByRole('heading', { name: 'Events' }).waitFor();
  });

  it('list failed events with the reason, and read them again', async () => {
    assert.equal(await send(idOf(), charge('odd', now(), { currency: 'xxxx' })), 200);
    await page.getByText('Its currency is unknown: "xxxx".', { exact: true }).waitFor();
    await page.getByText('Read the failed events again after an update.').waitFor();
    assert.deepEqual(await findFaultsDayAndNight(page), []);
    await page.getByRole('button', { name: 'Replay failed and unknown' }).click();
    await page.getByText('1 event read again.').waitFor();
  });

  it('map the fields of any other system beside what the last event becomes', async () => {
    await page.goto(`${path}/new`);
    await page.getByRole('button', { name: 'Another system' }).click();
    await page.getByRole('button', { name: 'The webhook is there' }).click();
    await page.getByLabel('Secret', { exact: true }).fill('a-token');
    await page.getByLabel('How it signs (optional)').selectOption('bearer');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    const body = JSON.stringify({ order: { no: 'o-1', sum: 29.9, cur: 'EUR' } });
    assert.equal(await post(idOf(), body, { authorization: 'Bearer a-token' }), 200);
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByText(/^It (?:states|has|names) no/).waitFor();
    await page.getByLabel('Id of the payment or refund').fill('order.no');
    await page.getByLabel('Amount', { exact: true }).fill('order.sum');
    await page.getByLabel('Currency (optional)', { exact: true }).fill('order.cur');
    await preview.getByText('29.90 EUR').waitFor();
    const paid = preview.locator('dt', { hasText: 'Paid' }).locator('xpath=following-sibling::dd');
    assert.match(await paid.innerText(), /^\w+ \d+, \d{4}, \d+:\d\d|^\d+ \w+ \d{4}, \d+:\d\d/);
    assert.deepEqual(await findFaultsDayAndNight(page), []);
    await page.getByRole('button', { name: 'Save and read failed events again' }).click();
    await page.getByText('Saved. 1 event read again.').waitFor();
    await page.goto(`/${SITE}/payments/o-1`);
    await page.getByRole('heading', { name: '€29.90' }).waitFor();
  });

  it('are listed with their state, and fit a phone', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(path);
    await page.getByRole('link', { name: 'Stripe' }).waitFor();
    assert.deepEqual(await findCut(page.locator('main section')), []);
    assert.deepEqual(await findFaultsDayAndNight(page), []);
    await page.setViewportSize({ width: 1_440, height: 900 });
  });

  it('are disconnected after a question; their payments stay', async () => {
    await page.getByRole('link', { name: 'Stripe' }).click();
    await page.getByRole('button', { name: 'Disconnect …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Disconnect Stripe?' });
    await dialog.waitFor();
    assert.deepEqual(await findFaultsDayAndNight(page), []);
    await dialog.getByRole('button', { name: 'Disconnect', exact: true }).click();
    await page.waitForURL(`**${path}`);
    await page.getByRole('link', { name: 'Stripe' }).waitFor({ state: 'detached' });
    const shown = await waitUntil(
      () => page.request.get('/api/v1/payments/pi_till', { headers: { 'x-site-id': SITE } }),
      (answer) => answer.ok(),
    );
    assert.equal((await shown.json()).provider, 'stripe');
  });

  it('are no business of viewers', async () => {
    const { browser, server } = dashboard;
    const context = await browser.newContext({ baseURL: server.url, locale: 'en-GB' });
    const viewer = await openViewer(page, context, SITE);
    await viewer.goto(path);
    await viewer.getByText('you do not have access to it').waitFor();
    assert.equal(await viewer.getByRole('link', { name: 'Payment providers' }).count(), 0);
    const answer = await viewer.request.get(`/api/v1/sites/${SITE}/providers`);
    assert.equal(answer.status(), 403);
    await context.close();
  });
});
