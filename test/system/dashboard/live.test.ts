import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { createKey } from '../../server/add-site.ts';
import { type Caller, callerOf } from '../../server/caller.ts';
import { findFaultsDayAndNight } from './find-faults.ts';
import { DEMO, type OpenDashboard } from './open-dashboard.ts';
import { shareDashboard } from './share-dashboard.ts';
import { goByKeys } from './steps/go-by-keys.ts';

const HOSTILE = '/<img src=x onerror="document.title=1">';

describe('the live page', () => {
  let dashboard: OpenDashboard;
  let page: Page;
  let shop: Caller;
  before(async () => {
    dashboard = await shareDashboard();
    page = dashboard.page;
    const { url, dataDir } = dashboard.server;
    shop = callerOf(url, DEMO, await createKey(dataDir, DEMO));
  });
  after(() => dashboard?.close());

  const shows = (text: string) => page.getByRole('list').getByText(text).first().waitFor();
  const says = (text: string) => page.getByRole('status').getByText(text).waitFor();

  it('is reached by key and from the head, and shows what was before it opened', async () => {
    await shop.pageview(randomUUID(), '/early');
    await page.goto(`/${DEMO}/people`);
    await page.getByRole('link', { name: /on now/ }).waitFor();
    await goByKeys(page, 'l', `**/${DEMO}/live`);
    await page.getByRole('heading', { level: 1, name: 'Live' }).waitFor();
    await shows('/early');
  });

  it('shows pages, goals and payments as they arrive, markup as text', async () => {
    await says('Connected');
    const visitor = randomUUID();
    await shop.pageview(visitor, `/?utm_source=${encodeURIComponent('<b>bold</b>')}`);
    await shop.pageview(visitor, HOSTILE);
    await shows('<b>bold</b>');
    await shows('onerror=');
    assert.equal((await shop.goal(visitor, 'brewed_tea')).status, 200);
    await shows('brewed_tea');
    const payment = { transaction_id: 'live-1', amount: 12.5, currency: 'EUR' };
    await shop.payment({ ...payment, service_visitor_id: visitor });
    await shows('Payment €12.50');
    assert.match(await page.title(), /Tributary/);
    await page.getByRole('row', { name: /bold.* 1 1$/ }).waitFor();
    const [inHead, onPage] = await page.evaluate<string[]>(
      `['a[href$="/live"] b', '[aria-label="On now"] b'].map((each) => document.querySelector(each).textContent)`,
    );
    assert.equal(inHead, onPage, 'one screen, one count');
  });

  it('says when the connection is lost, and heals with what was missed', async () => {
    await page.context().setOffline(true);
    await says('Connection lost');
    await shop.pageview(randomUUID(), '/meanwhile');
    await page.context().setOffline(false);
    await says('Connected');
    await shows('/meanwhile');
    assert.equal(await page.getByRole('list').getByText('/early').count(), 1);
  });

  it('rests in a hidden tab and while it is paused', async () => {
    for (const [name, rest, goOn] of [
      ['hidden', () => hide(page, true), () => hide(page, false)],
      ['paused', () => click('Pause'), () => click('Resume')],
    ] as const) {
      const stream = page.waitForEvent('requestfailed', (each) => each.url().endsWith('/stream'));
      await rest();
      await stream;
      const again = page.waitForRequest((each) => each.url().endsWith('/stream'));
      await shop.pageview(randomUUID(), `/while-${name}`);
      await goOn();
      assert.match((await (await again).allHeaders())['last-event-id'] ?? '', /^\d{13}$/);
      await shows(`/while-${name}`);
    }
  });

  const click = (name: string) => page.getByRole('button', { name, exact: true }).click();

  it('leads to the visitors of a page of today', async () => {
    await page.getByRole('row').getByRole('link', { name: '/early' }).click();
    await page.waitForURL(`**/${DEMO}?period=day&f=is,event:page,/early`);
    await page.getByRole('button', { name: /^Visitors 1/ }).waitFor();
  });

  it('has nothing that axe finds, by day and by night', async () => {
    await page.goto(`/${DEMO}/live`);
    await shows('/early');
    await page.getByRole('group', { name: 'World map' }).waitFor();
    assert.deepEqual(await findFaultsDayAndNight(page), []);
  });
});

/** Simulates hiding or showing a browser's tab. */
function hide(page: Page, isHidden: boolean): Promise<unknown> {
  return page.evaluate(`
    Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  `);
}
