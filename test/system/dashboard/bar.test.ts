import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { waitUntil } from '../../server/wait-until.ts';
import { findFaults } from './find-faults.ts';
import { DEMO, type OpenDashboard } from './open-dashboard.ts';
import { shareDashboard } from './share-dashboard.ts';

const SCRIPTS = /\/assets\/.*\.js$/;

describe('the bar of choices', () => {
  let dashboard: OpenDashboard;
  let page: Page;
  before(async () => {
    dashboard = await shareDashboard();
    page = dashboard.page;
  });
  after(() => dashboard?.close());

  /** Opens a page with the bar and few queries. */
  const openPeople = async (search = '') => {
    await page.goto(`/${DEMO}/people${search}`);
    await page.getByRole('table', { name: 'People' }).waitFor();
  };
  /** Lets no more scripts load. Returns what lets them. */
  const holdScripts = async () => {
    const released = Promise.withResolvers<void>();
    await page.route(SCRIPTS, async (route) => {
      await released.promise;
      await route.continue();
    });
    return released.resolve;
  };
  const param = (name: string) => new URL(page.url()).searchParams.get(name);
  const reaches = (name: string, value: string) =>
    page.waitForURL((url) => url.searchParams.get(name) === value);

  it('shows at once that a menu is about to open', async () => {
    await openPeople();
    const release = await holdScripts();
    const button = page.getByRole('button', { name: 'Share' });
    await button.click();
    assert.equal(await button.getAttribute('aria-busy'), 'true');
    release();
    await page.getByRole('menuitem', { name: 'Copy the link to this view' }).waitFor();
    await page.unroute(SCRIPTS);
  });

  it('keeps the button of a filter in view on a low phone', async () => {
    await page.setViewportSize({ width: 360, height: 640 });
    const chips = 'f=is,visit:device,mobile&f=is_not,visit:country,FR&f=is_not,visit:source,Bing';
    await openPeople(`?${chips}`);
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
    await page.goto(`/${DEMO}?f=is,visit:device,mobile&f=is_not,visit:country,FR`);
    await page.getByRole('button', { name: /^Visitors \d/ }).waitFor();
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
    await openPeople();
    const release = await holdScripts();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('lasz');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Enter');
    assert.equal(param('period'), null);
    release();
    const field = page.getByRole('combobox', { name: /A page/ });
    await page.locator('[role=combobox]:focus').waitFor();
    await page.unroute(SCRIPTS);
    await page.keyboard.type('t month');
    assert.equal(await field.inputValue(), 'last month');
    await page.keyboard.press('Enter');
    await reaches('period', 'last_month');
  });

  it('keeps what is typed before the palette is loaded, and takes none of it for a shortcut', async () => {
    await openPeople();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('live');
    await page.locator('[role=combobox]:focus').waitFor();
    assert.equal(await page.getByRole('combobox', { name: /A page/ }).inputValue(), 'live');
    assert.equal(param('period'), null);
    await page.keyboard.press('Escape');
  });

  it('takes a key for text that follows the palette’s own at once', async () => {
    await openPeople();
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
      await openPeople('?f=is,visit:device,mobile');
      await page.keyboard.press(key);
      await page.getByRole('dialog').waitFor();
      await page.waitForLoadState('networkidle');
      assert.deepEqual(await findFaults(page), [], key);
      assert.deepEqual(await findFaults(page, '[role=dialog]'), [], key);
    }
  });
});
