import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { type MailServer, openMailServer } from '../../server/mail-server.ts';
import { waitUntil } from '../../server/wait-until.ts';
import { findFaults } from './find-faults.ts';
import { DEMO, type OpenDashboard, openDashboard, openSignedIn } from './open-dashboard.ts';

describe('summaries and alerts', () => {
  let dashboard: OpenDashboard;
  let post: MailServer;
  let hook: Server;
  const hooked: string[] = [];
  const mailsSent = (count: number) =>
    waitUntil(
      async () => [...post.mails],
      (mails) => mails.length >= count,
    );

  before(async () => {
    post = await openMailServer();
    hook = createServer(async (request, response) => {
      for await (const chunk of request) hooked.push(String(chunk));
      response.end();
    }).listen(0, '127.0.0.1');
    await once(hook, 'listening');
    const env = {
      ...{ SMTP_URL: post.url, MAIL_FROM: 'tributary@figures.example' },
      BASE_URL: 'http://figures.example',
    };
    dashboard = await openDashboard({ visitors: 400, env });
  });
  after(async () => {
    await dashboard?.close();
    hook.close();
    post.close();
  });

  it('are chosen in the settings, and a summary comes at once when asked for', async () => {
    const { page } = dashboard;
    await page.goto(`/${DEMO}/settings/mail`);
    await page.getByLabel('Summary').selectOption('weekly');
    await page.getByLabel(/^Alerts, when/).check();
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByText('Saved.').first().waitFor();
    await page.getByRole('button', { name: 'Send me one now' }).click();
    await page.getByText('Sent.').waitFor();
    const [mail = ''] = await mailsSent(1);
    assert.match(mail, /^Subject: .*demo/m);
    assert.match(mail, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click/m);
    assert.match(mail, /Sources by revenue/);
    assert.match(mail, /<h1 style="/);
    await page.reload();
    assert.equal(await page.getByLabel('Summary').inputValue(), 'weekly');
  });

  it('go to a webhook too, which is tested by a click', async () => {
    const { page } = dashboard;
    await page.goto(`/${DEMO}/settings/mail`);
    await page.getByLabel('Many events are dropped').uncheck();
    await page.getByLabel('Webhook').fill('ftp://hooks.example.com');
    await page.getByRole('button', { name: 'Save' }).last().click();
    await page.getByText('must be an https URL').waitFor();
    const { port } = hook.address() as AddressInfo;
    await page.getByLabel('Webhook').fill(`http://127.0.0.1:${port}/hook`);
    await page.getByRole('button', { name: 'Save' }).last().click();
    await page.getByText('Saved.').waitFor();
    await page.waitForTimeout(10_000); // One mail in ten seconds.
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('Sent.').waitFor();
    const body = JSON.parse(hooked[0] ?? '{}') as Record<string, unknown>;
    assert.deepEqual([body.site, body.kind, body.test], [DEMO, 'traffic', true]);
    assert.match((await mailsSent(2))[1] ?? '', /This is a test/);
  });

  it('end by the link in a mail, without a login, when somebody says so', async () => {
    const { page, browser, server } = dashboard;
    const [mail = ''] = post.mails;
    const [, path = ''] = /figures\.example(\/unsubscribe\/[\w-]+)/.exec(mail) ?? [];
    const summaryOf = async () => {
      await page.goto(`/${DEMO}/settings/mail`);
      return page.getByLabel('Summary').inputValue();
    };
    const stranger = await (await browser.newContext({ baseURL: server.url })).newPage();
    await stranger.goto(path);
    await stranger.getByRole('button', { name: 'End the mails' }).waitFor();
    assert.deepEqual(await findFaults(stranger), []);
    assert.equal(await summaryOf(), 'weekly', 'opening the link alone ends nothing');
    await stranger.getByRole('button', { name: 'End the mails' }).click();
    await stranger.getByRole('heading', { name: 'Done' }).waitFor();
    assert.equal(await summaryOf(), 'off');
    await stranger.context().close();
  });

  it('end by one click of a mail program', async () => {
    const { page, server } = dashboard;
    await page.goto(`/${DEMO}/settings/mail`);
    await page.getByLabel('Summary').selectOption('monthly');
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByText('Saved.').waitFor();
    const [, path = ''] = /figures\.example(\/unsubscribe\/[\w-]+)/.exec(post.mails[0] ?? '') ?? [];
    const answer = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    });
    assert.equal(answer.status, 200);
    await page.reload();
    assert.equal(await page.getByLabel('Summary').inputValue(), 'off');
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`have nothing that axe finds, ${colorScheme}`, async () => {
      const each = await openSignedIn(dashboard.browser, dashboard.server, { colorScheme });
      await each.goto(`/${DEMO}/settings/mail`);
      await each.getByRole('heading', { level: 2 }).first().waitFor();
      assert.deepEqual(await findFaults(each), []);
      await each.context().close();
    });
  }
});
