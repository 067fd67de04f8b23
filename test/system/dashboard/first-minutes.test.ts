import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { callerOf } from '../../server/caller.ts';
import { startServer, type TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';
import { shareBrowser } from '../e2e/share-browser.ts';
import { findFaults } from './find-faults.ts';
import { closePages, OWNER } from './open-dashboard.ts';
import { askApi } from './steps/ask-api.ts';

const SITE = 'tea.example';
const VISITOR = '3b241101-e2bb-4255-8caf-4136c566a962';

describe('the first minutes', () => {
  let server: TestServer;
  let browser: Browser;
  let page: Page;
  let link: string;
  let key = '';
  /** The errors in the browser's console, but for the one that says that nobody is signed in yet. */
  const printed: string[] = [];

  before(async () => {
    server = await startServer();
    link = server.startUrl ?? '';
    browser = await shareBrowser();
    page = await browser.newPage({
      ...{ baseURL: server.url, locale: 'en-GB', viewport: { width: 1440, height: 900 } },
    });
    page.on('console', (line) => {
      const asksWho = line.location().url.endsWith('/api/v1/me');
      if (line.type() === 'error' && !asksWho) printed.push(line.text());
    });
  });
  after(async () => {
    await closePages(browser);
    await server?.stop();
    server?.cleanUp();
  });

  it('say where the link to begin with is, and which link does not work', async () => {
    await page.goto(server.url);
    await page.getByRole('heading', { name: 'This server has no owner yet' }).waitFor();
    await page.getByText('npm run tributary -- admin link').waitFor();
    assert.equal(await page.getByLabel('Password').count(), 0);
    assert.deepEqual(await findFaults(page), []);
    await page.goto(`${server.url}/start#bogus`);
    await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
    assert.equal(await page.getByLabel('Your name').count(), 0);
    assert.deepEqual(await findFaults(page), []);
  });

  it('begin with a link that makes a login, is gone from the address, and survives a reload', async () => {
    await page.goto(`${server.url}/start${new URL(link).hash}`);
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    assert.equal(new URL(page.url()).hash, '');
    await page.reload();
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    assert.equal(new URL(page.url()).hash, '');
    assert.deepEqual(await findFaults(page), []);
    await page.getByLabel('Your name').fill(OWNER.name);
    await page.getByLabel('E-mail').fill(OWNER.email);
    await page.getByLabel('Password').fill(OWNER.password);
    await page.getByRole('button', { name: 'Create login' }).click();
    await page.getByRole('heading', { name: 'Your first site' }).waitFor();
    assert.deepEqual(printed, []);
  });

  it('add a site, and say what its domain lacks', async () => {
    await page.getByLabel('Domain').fill('no domain');
    await page.getByRole('button', { name: 'Add site' }).click();
    await page.getByRole('alert').waitFor();
    const refusal = await page.getByRole('alert').innerText();
    assert.equal(refusal, '"no domain" is not a domain such as example.com.');
    assert.equal(await page.getByLabel('Domain').getAttribute('aria-invalid'), 'true');
    await page.getByLabel('Domain').fill(`https://${SITE}/about`);
    await page.getByLabel('Currency').selectOption('EUR');
    await page.getByRole('button', { name: 'Add site' }).click();
    await page.waitForURL(`**/${SITE}`);
    await page.getByText('Waiting for the first pageview').waitFor();
  });

  it('say in the list of sites that the first pageview has yet to come', async () => {
    await page.goto(server.url);
    await page.getByRole('heading', { name: 'Sites', exact: true }).waitFor();
    const card = page.getByRole('link', { name: SITE });
    await card.getByText('Waiting for the first pageview').waitFor();
    assert.doesNotMatch(await card.innerText(), /%/);
    await card.click();
    await page.waitForURL(`**/${SITE}`);
  });

  it('show the tag and a key', async () => {
    const tag = await page.getByRole('region', { name: 'Script, HTML' }).innerText();
    assert.match(tag, /<script async data-site="tea\.example" src="http.*\/[a-z]{12}\/app\.js">/);
    const prompt = await page.getByRole('region', { name: 'Prompt for an assistant' }).innerText();
    assert.ok(prompt.includes(`Read ${server.url}/llms.txt and follow it: put <script `), prompt);
    await page.getByRole('button', { name: 'Create a key for the backend' }).click();
    key = await page.getByRole('region', { name: 'The new key' }).innerText();
    assert.match(key, /^trib_/);
    assert.deepEqual(await findFaults(page), []);
  });

  it('lead to where a refused host is allowed', async () => {
    const sender = { site: SITE, service_visitor_id: VISITOR };
    const data = { ...sender, type: 'pageview', url: 'https://evil.test/' };
    const answer = await page.request.post(`${server.url}/api/v1/events`, { data });
    assert.equal(answer.status(), 200, await answer.text());
    const link = page.getByRole('link', { name: 'Settings → General → Allowed hosts' });
    await link.waitFor();
    assert.equal(await link.getAttribute('href'), `/${SITE}/settings/general`);
  });

  it('name a refused host with its port, and take it as it is named', async () => {
    const sender = { site: SITE, service_visitor_id: VISITOR };
    const data = { ...sender, type: 'pageview', url: 'http://127.0.0.1:8080/' };
    const answer = await page.request.post(`${server.url}/api/v1/events`, { data });
    assert.match((await answer.json()).hint, /events from 127\.0\.0\.1:8080 for tea\.example/);
    await page.getByText('Events came from 127.0.0.1:8080, evil.test').waitFor();
  });

  it('send no test payment before there is a visitor', async () => {
    await page.getByRole('button', { name: 'Send a test payment' }).click();
    await page.getByText('Open a page of the site first.').waitFor();
  });

  it('end with the first pageview, and show money from the first payment on', async () => {
    const shop = callerOf(server.url, SITE, key.trim());
    assert.equal((await shop.pageview(VISITOR, '/pricing')).status, 200);
    await page.getByText('The first pageview has arrived.').waitFor();
    await page.getByRole('button', { name: 'Send a test payment' }).click();
    await page.getByText('It arrived and was attributed to Direct (Direct).').waitFor();
    assert.equal(await page.getByRole('region', { name: 'The new key' }).innerText(), key);
    assert.deepEqual(await findFaults(page), []);
    await page.getByRole('button', { name: 'Open the dashboard' }).click();
    await page.getByRole('button', { name: /^Visitors 1/ }).waitFor();
    await page.getByRole('button', { name: /^Pageviews 1/ }).waitFor();
    await page.getByRole('columnheader', { name: 'Bounce' }).first().waitFor();
    assert.equal(await page.getByRole('button', { name: /^Revenue/ }).count(), 0);
    const payment = { transaction_id: 't1', amount: 29.99, currency: 'EUR' };
    const paid = await shop.payment({ ...payment, service_visitor_id: VISITOR });
    assert.equal(paid.status, 200);
    const asked = { site_id: SITE, metrics: ['revenue'], date_range: 'day' };
    await waitUntil(
      () => askApi({ page, server }, '/api/v1/query', asked),
      (rows) => JSON.stringify(rows).includes('"29.99"'),
    );
    await page.reload();
    await page.getByRole('button', { name: /^Revenue €29\.99/ }).waitFor();
  });

  it('lead back to the same address where a session ends while its page is open', async () => {
    await page.goto(`${server.url}/${SITE}`);
    await page.getByRole('button', { name: /^Visitors \d/ }).waitFor();
    await page.context().clearCookies();
    await page.keyboard.press('w');
    await page.waitForURL('**/sign-in?next=*');
    await page.getByLabel('E-mail').fill(OWNER.email);
    await page.getByLabel('Password').fill(OWNER.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`**/${SITE}?period=7d`);
    await page.getByRole('button', { name: /^Visitors \d/ }).waitFor();
  });
});
