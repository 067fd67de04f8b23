import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { findFaults, findFaultsDayAndNight } from './find-faults.ts';
import { DEMO, type OpenDashboard } from './open-dashboard.ts';
import { shareDashboard } from './share-dashboard.ts';

const PASSWORD = 'leaves and hot water';

describe('shared links', () => {
  let dashboard: OpenDashboard;
  let page: Page;
  let strangers: BrowserContext;
  before(async () => {
    dashboard = await shareDashboard();
    page = dashboard.page;
    strangers = await dashboard.browser.newContext({ viewport: WIDE });
  });
  after(() => dashboard?.close());

  /** Creates a link by hand and resolves with its address and the frame's snippet. */
  async function makeLink(
    name: string,
    { panels, password = '', revenue = false }: ShareChoice,
  ): Promise<{ readonly url: string; readonly snippet: string }> {
    await page.goto(`/${DEMO}/settings/sharing`);
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByLabel('Password').fill(password);
    for (const box of await page.getByRole('group').getByRole('checkbox').all()) {
      await box.uncheck();
    }
    for (const panel of panels) await page.getByLabel(panel, { exact: true }).check();
    await page.getByLabel('Show revenue, too').setChecked(revenue);
    await page.getByRole('button', { name: 'Create link' }).click();
    const lines = page.locator('details[open]').filter({ hasText: name });
    const codes = lines.locator('pre');
    await codes.nth(1).waitFor();
    const [url = '', snippet = ''] = await codes.allTextContents();
    return { url, snippet };
  }

  /** A page without a login. */
  const openStranger = () => strangers.newPage();

  it('show what was chosen to people without a login, and nothing else', async () => {
    const { url } = await makeLink('All', {
      panels: ['Figures and chart', 'Sources', 'Countries'],
    });
    const stranger = await openStranger();
    await stranger.goto(url);
    await stranger.getByRole('button', { name: /^Visitors \d/ }).waitFor();
    await stranger.getByRole('button', { name: 'Google' }).first().waitFor();
    const name = await stranger.getByRole('heading', { level: 1 }).innerText();
    assert.equal(await stranger.title(), `${name} · Tributary`);
    assert.equal(await stranger.getByText(/revenue|€/i).count(), 0);
    assert.equal(await stranger.getByRole('link').count(), 0);
    assert.equal(await stranger.getByRole('button', { name: 'Campaigns' }).count(), 0);
    await stranger.getByRole('button', { name: 'Google' }).first().click();
    await stranger.waitForURL(/f=is,visit:source,Google/);
    await stranger.getByRole('button', { name: 'Details: Sources' }).click();
    await stranger.getByRole('columnheader', { name: 'Scroll depth' }).waitFor();
    const status = await stranger.evaluate(
      async (path) => (await fetch(path)).status,
      '/api/v1/me',
    );
    assert.equal(status, 401);
  });

  it('are listed with the filter that they have', async () => {
    await page.goto(`/${DEMO}/settings/sharing?f=is,visit:country,DE`);
    await page.getByText('The link is limited to Country is Germany.').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Germans');
    await page.getByRole('button', { name: 'Create link' }).click();
    const line = page.locator('summary').filter({ hasText: 'Germans' });
    assert.match(await line.innerText(), /^Germans 5 panels, only where Country is Germany · /);
  });

  it('stand in pages of others, as high as they are', async () => {
    const { snippet } = await makeLink('Frame', { panels: ['Countries'] });
    const site = await servePage(`<!doctype html><title>Shop</title>${snippet}`);
    const stranger = await openStranger();
    await stranger.goto(site.url);
    const frame = stranger.frameLocator('iframe');
    await frame.getByRole('button', { name: /Germany/ }).waitFor();
    await stranger.waitForFunction('document.querySelector("iframe").clientHeight !== 600');
    const inside = await frame.locator('#root').boundingBox();
    const outside = await stranger.locator('iframe').boundingBox();
    assert.ok(Math.abs((inside?.height ?? 0) - (outside?.height ?? 0)) < 2);
    site.server.close();
  });

  it('open with their password in frames that have neither cookies nor storage', async () => {
    const choice = { panels: ['Countries'], password: PASSWORD };
    const { snippet } = await makeLink('Closed frame', choice);
    const site = await servePage(`<!doctype html><title>Shop</title>${snippet}`);
    const stranger = await openStranger();
    await stranger.addInitScript(() => {
      const get = () => {
        throw new DOMException('Access is denied for this document.', 'SecurityError');
      };
      for (const name of ['sessionStorage', 'localStorage']) {
        Object.defineProperty(globalThis, name, { get });
      }
    });
    await stranger.goto(site.url);
    const frame = stranger.frameLocator('iframe');
    await frame.getByLabel('Password').fill(PASSWORD);
    await frame.getByRole('button', { name: 'Open' }).click();
    await frame.getByRole('button', { name: /Germany/ }).waitFor();
    assert.deepEqual(await stranger.context().cookies(), []);
    site.server.close();
  });

  it('look as their frame’s address says, with a preview', async () => {
    const { url } = await makeLink('Dark frame', { panels: ['Countries'] });
    const lines = page.locator('details[open]').filter({ hasText: 'Dark frame' });
    await lines.getByLabel('Theme').selectOption('Dark');
    await lines.getByLabel('Accent colour').fill('#0d8f5f');
    const look = 'theme=dark&accent=0d8f5f';
    await lines.getByText(`src="${url}/embed?${look.replace('&', '&amp;')}"`).waitFor();
    await lines.getByRole('button', { name: 'Preview' }).click();
    await lines
      .frameLocator('iframe')
      .getByRole('button', { name: /Germany/ })
      .waitFor();
    const stranger = await openStranger();
    const groundOf = () => stranger.evaluate('getComputedStyle(document.body).backgroundColor');
    await stranger.goto(`${url}/embed?${look}`);
    await stranger.getByRole('button', { name: /Germany/ }).waitFor();
    assert.equal(await groundOf(), 'rgb(18, 20, 22)');
    assert.deepEqual(await findFaults(stranger), []);
    await stranger.goto(`${url}/embed?theme=transparent&accent=red;x:url(evil)`);
    assert.equal(await groundOf(), 'rgba(0, 0, 0, 0)');
    assert.equal(await stranger.locator('html[style], html[data-accent]').count(), 0);
  });

  it('show today, compared with yesterday up to now', async () => {
    const { url } = await makeLink('Today', { panels: ['Figures and chart'] });
    const stranger = await openStranger();
    const answered = stranger.waitForResponse(/\/api\/v1\/query$/);
    await stranger.goto(`${url}?period=today`);
    await stranger.getByRole('button', { name: /^Visitors \d/ }).waitFor();
    const { query } = await (await answered).json();
    const [from, to] = query.comparison_date_range.map(Date.parse);
    const [today] = query.date_range.map(Date.parse);
    const passed = Date.now() - today;
    assert.ok(
      to - from <= passed + 1_000 && to - from > passed - 60_000,
      query.comparison_date_range,
    );
    assert.equal(await stranger.getByText('could not be loaded').count(), 0);
  });

  it('stand in no frame with their own address', async () => {
    const { url } = await makeLink('Bare', { panels: ['Countries'] });
    const { headers } = await fetch(url, { headers: { accept: 'text/html' } });
    for (const method of ['GET', 'HEAD']) {
      const answer = await fetch(url, { method });
      assert.deepEqual([answer.status, answer.headers.get('vary')], [200, headers.get('vary')]);
    }
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
    assert.equal(headers.get('x-robots-tag'), 'noindex');
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
  });

  it('have nothing that axe finds, by day and by night', async () => {
    const panels = ['Figures and chart', 'Sources', 'Hours of the week'];
    const { url } = await makeLink('Checked', { panels });
    assert.deepEqual(await findFaultsDayAndNight(page), []);
    const stranger = await openStranger();
    await stranger.goto(url);
    await stranger.getByRole('button', { name: 'Google' }).first().waitFor();
    assert.deepEqual(await findFaultsDayAndNight(stranger), []);
  });
});

const WIDE = { width: 1_280, height: 900 };

type ShareChoice = {
  readonly panels: readonly string[];
  readonly password?: string;
  readonly revenue?: boolean;
};

/** A page of another site. */
async function servePage(html: string): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(html);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}
