import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { waitUntil } from '../../server/wait-until.ts';
import { findFaults, findFaultsDayAndNight } from './find-faults.ts';
import { DEMO } from './open-dashboard.ts';
import { type SharedDashboard, shareDashboard } from './share-dashboard.ts';

describe('summaries and alerts', () => {
  let dashboard: SharedDashboard;
  let hook: Server;
  const hooked: string[] = [];
  /** The mail with these words; others may arrive meanwhile. */
  const mailWith = async (words: RegExp): Promise<string> => {
    const find = async () => dashboard.post.mails.find((mail) => words.test(mail));
    return String(await waitUntil(find, (mail) => mail !== undefined));
  };
  /** The link that ends the summaries. */
  const unsubscribePath = async (): Promise<string> =>
    /(\/unsubscribe\/[\w-]+)/.exec(await mailWith(/Sources by revenue/))?.[0] ?? '';

  before(async () => {
    hook = createServer(async (request, response) => {
      for await (const chunk of request) hooked.push(String(chunk));
      response.end();
    }).listen(0, '127.0.0.1');
    await once(hook, 'listening');
    dashboard = await shareDashboard();
  });
  after(async () => {
    await dashboard?.close();
    hook.close();
  });

  it('are chosen in the settings, and a summary comes at once when asked for', async () => {
    const { page } = dashboard;
    await page.goto(`/${DEMO}/settings/mail`);
    await page.getByLabel('Summary').selectOption('weekly');
    await page.getByLabel('The site’s alerts').check();
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByText('Saved.').first().waitFor();
    await page.getByRole('button', { name: 'Send one now' }).click();
    await page.getByText('Sent.').waitFor();
    const mail = await mailWith(/Sources by revenue/);
    assert.match(mail, /^Subject: .*demo/m);
    assert.match(mail, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click/m);
    assert.match(mail, /<h1 style="/);
    await page.reload();
    assert.equal(await page.getByLabel('Summary').inputValue(), 'weekly');
  });

  it('go to a webhook too, which is tested by a click', async () => {
    const { page } = dashboard;
    await page.goto(`/${DEMO}/settings/mail`);
    await page.getByLabel('Many dropped events').uncheck();
    await page.getByLabel('Webhook').fill('ftp://hooks.example.com');
    await page.getByRole('button', { name: 'Save' }).last().click();
    await page.getByText('must be an https URL').waitFor();
    const { port } = hook.address() as AddressInfo;
    await page.getByLabel('Webhook').fill(`http://127.0.0.1:${port}/hook`);
    await page.getByRole('button', { name: 'Save' }).last().click();
    await page.getByText('Saved.').waitFor();
    await page.getByRole('button', { name: 'Send a test to the webhook' }).click();
    await page.getByText('Sent.').waitFor();
    await page.getByRole('button', { name: 'Send a test to me' }).click();
    await page.getByText('Sent.').nth(1).waitFor();
    const bodies = hooked.map((text) => JSON.parse(text) as Record<string, unknown>);
    const { site, kind } = bodies.find(({ test }) => test === true) ?? {};
    assert.deepEqual([site, kind], [DEMO, 'traffic']);
    await mailWith(/This is a test/);
  });

  it('are put together by an admin, too', async () => {
    const { page, server } = dashboard;
    await page.goto(`/${DEMO}/settings/mail`);
    const own = page.locator('section', { hasText: 'Alerts of your own' });
    const add = async (when: string, ...filled: (readonly [string, string])[]) => {
      await own.getByLabel('When').selectOption({ label: when });
      for (const [label, text] of filled)
        await own.getByLabel(label, { exact: label === 'Goal' }).fill(text);
      await own.getByRole('button', { name: 'Add alert' }).click();
    };
    await add('A metric was below a value yesterday', ['Value', '99.5']);
    await own.getByText('Daily revenue below €99.50').waitFor();
    await add('A goal is reached', ['Goal', 'Not a goal']);
    await own.getByRole('alert').waitFor();
    await own.getByLabel('Goal', { exact: true }).fill('alerted');
    await own.getByRole('button', { name: 'Add alert' }).click();
    await own.getByText('Goal alerted is reached').waitFor();
    await own.getByRole('button', { name: 'Remove: Daily revenue below' }).click();
    await own.getByText('Daily revenue below').waitFor({ state: 'detached' });
    await page.reload();
    await own.getByText('Goal alerted is reached').waitFor();
    const event = { site: DEMO, service_visitor_id: 'alerted-visitor', type: 'goal' };
    const data = { ...event, name: 'alerted', url: `https://${DEMO}/` };
    await page.request.post(`${server.url}/api/v1/events`, { data });
  });

  it('end by the link in a mail, without a login, when somebody says so', async () => {
    const { page, browser, server } = dashboard;
    const path = await unsubscribePath();
    const summaryOf = async () => {
      await page.goto(`/${DEMO}/settings/mail`);
      return page.getByLabel('Summary').inputValue();
    };
    const stranger = await (await browser.newContext({ baseURL: server.url })).newPage();
    await stranger.goto(path);
    await stranger.getByRole('button', { name: 'Unsubscribe' }).waitFor();
    assert.deepEqual(await findFaults(stranger), []);
    assert.equal(await summaryOf(), 'weekly', 'opening the link alone ends nothing');
    await stranger.getByRole('button', { name: 'Unsubscribe' }).click();
    await stranger.getByRole('heading', { name: 'Unsubscribed' }).waitFor();
    assert.equal(await summaryOf(), 'off');
    await stranger.context().close();
  });

  it('end by one click of a mail program', async () => {
    const { page, server } = dashboard;
    await page.goto(`/${DEMO}/settings/mail`);
    await page.getByLabel('Summary').selectOption('monthly');
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByText('Saved.').waitFor();
    const answer = await fetch(`${server.url}${await unsubscribePath()}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    });
    assert.equal(answer.status, 200);
    await page.reload();
    assert.equal(await page.getByLabel('Summary').inputValue(), 'off');
  });

  it('have nothing that axe finds, by day and by night', async () => {
    const { page } = dashboard;
    await page.goto(`/${DEMO}/settings/mail`);
    await page.getByRole('heading', { level: 2 }).first().waitFor();
    assert.deepEqual(await findFaultsDayAndNight(page), []);
  });

  it('come as a goal is reached', async () => {
    const isTold = (body: string) => /"title":"Goal alerted on demo\.example"/.test(body);
    await waitUntil(async () => hooked.some(isTold), Boolean);
    const { page } = dashboard;
    await page.goto(`/${DEMO}/settings/mail`);
    await page.getByRole('button', { name: 'Remove: Goal alerted' }).click();
    await page.getByText('Goal alerted is reached').waitFor({ state: 'detached' });
  });
});
