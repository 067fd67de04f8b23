import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { waitUntil } from '../../server/wait-until.ts';
import { findFaults } from './find-faults.ts';
import { DEMO, type OpenDashboard } from './open-dashboard.ts';
import { shareDashboard } from './share-dashboard.ts';

describe('the bar of choices', () => {
  let dashboard: OpenDashboard;
  let page: Page;
  before(async () => {
    dashboard = await shareDashboard();
    page = dashboard.page;
  });
  after(() => dashboard?.close());
  beforeEach(() => openSite());

  const openSite = async (search = '') => {
    await page.goto(`/${DEMO}${search}`);
    await page.getByRole('button', { name: /^Visitors \d/ }).waitFor();
  };
  const param = (name: string) => new URL(page.url()).searchParams.get(name);
  const reaches = (name: string, value: string) =>
    page.waitForURL((url) => url.searchParams.get(name) === value);

  it('shows at once that a menu is about to open', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/assets\/.*\.js$/, async (route) => {
      await released;
      await route.continue();
    });
    const button = page.getByRole('button', { name: 'Share' });
    await button.click();
    assert.equal(await button.getAttribute('aria-busy'), 'true');
    release();
    await page.getByRole('menuitem', { name: 'Copy the link to this view' }).waitFor();
    await page.unroute(/\/assets\/.*\.js$/);
    await page.keyboard.press('Escape');
  });

  it('adds a filter from what is suggested, turns it round, and takes it away', async () => {
    await page.keyboard.press('f');
    await page.getByLabel('Filter by').selectOption('Device');
    await page.getByRole('checkbox', { name: /Mobile/ }).check();
    await page.getByRole('button', { name: 'Apply' }).click();
    await reaches('f', 'is,visit:device,mobile');
    await page.getByRole('button', { name: 'Change is: Device is Mobile' }).click();
    await reaches('f', 'is_not,visit:device,mobile');
    await page.getByRole('button', { name: 'Remove filter: Device is not Mobile' }).click();
    await page.waitForURL((url) => !url.searchParams.has('f'));
  });

  it('keeps the button of a filter in view on a low phone', async () => {
    await page.setViewportSize({ width: 360, height: 640 });
    const chips = 'f=is,visit:device,mobile&f=is_not,visit:country,FR&f=is_not,visit:source,Bing';
    await openSite(`?${chips}`);
    await page.getByRole('button', { name: '+ Filter' }).click();
    const apply = page.getByRole('button', { name: 'Apply' });
    await apply.waitFor();
    await page.waitForLoadState('networkidle');
    const [button, around] = [
      await apply.boundingBox(),
      await page.getByRole('dialog').boundingBox(),
    ];
    await page.setViewportSize({ width: 1_440, height: 900 });
    assert.ok(button !== null && around !== null);
    assert.ok(button.y + button.height <= around.y + around.height, JSON.stringify(button));
  });

  it('stays in one row above a phone’s page as it scrolls, and moves nothing', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await openSite('?f=is,visit:device,mobile&f=is_not,visit:country,FR');
    const bar = page.getByRole('button', { name: /^Period/ });
    const panels = page.locator('[data-panel]').first();
    const placeOf = async () =>
      ((await panels.boundingBox())?.y ?? 0) + (await page.evaluate<number>('scrollY'));
    const before = await placeOf();
    await page.mouse.wheel(0, 900);
    await waitUntil(
      async () => (await bar.boundingBox())?.y ?? -1,
      (y) => y >= 0 && y < 16,
    );
    await page.getByRole('button', { name: 'Share' }).waitFor();
    const { y = 0, height = 0 } =
      (await page.getByRole('button', { name: 'Share' }).boundingBox()) ?? {};
    const after = await placeOf();
    await page.setViewportSize({ width: 1_440, height: 900 });
    assert.ok(y + height <= 64, `the bar covers ${y + height} px`);
    assert.equal(after, before);
  });

  it('takes corrections of what is typed before the palette is loaded', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/assets\/.*\.js$/, async (route) => {
      await released;
      await route.continue();
    });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('lasz');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Enter');
    assert.equal(param('period'), null);
    release();
    const field = page.getByRole('combobox', { name: /A page/ });
    await page.locator('[role=combobox]:focus').waitFor();
    await page.unroute(/\/assets\/.*\.js$/);
    await page.keyboard.type('t month');
    assert.equal(await field.inputValue(), 'last month');
    await page.keyboard.press('Enter');
    await reaches('period', 'last_month');
  });

  it('keeps what is typed before the palette is loaded, and takes none of it for a shortcut', async () => {
    await openSite();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('live');
    await page.locator('[role=combobox]:focus').waitFor();
    assert.equal(await page.getByRole('combobox', { name: /A page/ }).inputValue(), 'live');
    assert.equal(param('period'), null);
    await page.keyboard.press('Escape');
  });

  it('takes a key for text that follows the palette’s own at once', async () => {
    await page.evaluate(`
      for (const key of [{ key: 'k', ctrlKey: true }, { key: 'l' }]) {
        const typed = { ...key, bubbles: true, cancelable: true };
        document.body.dispatchEvent(new KeyboardEvent('keydown', typed));
      }
    `);
    await page.locator('[role=combobox]:focus').waitFor();
    assert.equal(await page.getByRole('combobox', { name: /A page/ }).inputValue(), 'l');
    assert.equal(param('period'), null);
    await page.keyboard.press('Escape');
  });

  it('has nothing that axe finds in its windows', async () => {
    for (const key of ['c', 'f', '?', 'Control+k']) {
      await openSite('?f=is,visit:device,mobile');
      await page.keyboard.press(key);
      await page.getByRole('dialog').waitFor();
      await page.waitForLoadState('networkidle');
      assert.deepEqual(await findFaults(page), [], key);
      assert.deepEqual(await findFaults(page, '[role=dialog]'), [], key);
    }
  });
});
