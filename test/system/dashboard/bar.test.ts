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
  const filters = () => new URL(page.url()).searchParams.getAll('f');
  const reaches = (name: string, value: string) =>
    page.waitForURL((url) => url.searchParams.get(name) === value);

  it('chooses a period by menu and by key', async () => {
    await page.getByRole('button', { name: /^Period/ }).click();
    await page.getByRole('menuitemradio', { name: /Last 7 days/ }).click();
    await reaches('period', '7d');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await page.keyboard.press('l');
    await reaches('period', 'last_month');
    await page.getByRole('button', { name: /^Period: Last month/ }).waitFor();
  });

  it('leads to the period before and after, by button and by key, and takes typed days', async () => {
    await page.keyboard.press('l');
    await reaches('period', 'last_month');
    await page.keyboard.press('.');
    await reaches('period', 'month');
    await page.getByRole('button', { name: 'Previous period', exact: true }).click();
    await reaches('period', 'last_month');
    await page.keyboard.press(',');
    await reaches('period', 'custom');
    await page.keyboard.press('c');
    const days = page.getByRole('dialog', { name: 'Days of the period' });
    await days.getByLabel('First day').fill('2026-02-20');
    await days.getByLabel('Last day').fill('2026-02-10');
    await days.getByRole('button', { name: 'Apply' }).click();
    await reaches('from', '2026-02-10');
    await reaches('to', '2026-02-20');
    await page.keyboard.press('l');
    await reaches('period', 'last_month');
  });

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

  it('opens a menu with the keyboard, and gives the focus back', async () => {
    const button = page.getByRole('button', { name: /^Attribution/ });
    await button.press('ArrowDown');
    await page.getByRole('menuitemradio').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    assert.match((await page.locator(':focus').getAttribute('aria-label')) ?? '', /^Attribution/);
    await page.keyboard.press('Enter');
    await page.getByRole('menu').waitFor();
    await page.keyboard.type('Lin');
    await page.keyboard.press('Enter');
    await reaches('model', 'linear');
  });

  it('chooses days of a calendar with the keyboard alone', async () => {
    await page.keyboard.press('c');
    await page.locator('[data-day]:focus').waitFor();
    const last = await page.locator('[data-day]:focus').getAttribute('data-day');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await reaches('period', 'custom');
    assert.equal(param('to'), last);
    const days = (Date.parse(param('to') ?? '') - Date.parse(param('from') ?? '')) / 86_400_000;
    assert.equal(days, 7);
  });

  it('compares the same weekdays of the year before', async () => {
    const sent = page.waitForRequest((request) => {
      const compare = request.postDataJSON()?.include?.compare;
      return request.url().endsWith('/api/v1/query') && Array.isArray(compare);
    });
    await page.getByRole('button', { name: /^Comparison/ }).click();
    await page.getByRole('menuitemradio', { name: /Year before/ }).click();
    const [first] = (await sent).postDataJSON().include.compare;
    const { date_range: range } = (await sent).postDataJSON();
    assert.equal(range, '30d');
    const days = (Date.now() - Date.parse(first)) / 86_400_000;
    assert.ok(days > 392 && days < 395, `${days} days ago`);
  });

  it('chooses the attribution model and window', async () => {
    await page.getByRole('button', { name: /^Attribution/ }).click();
    await page.getByRole('menuitemradio', { name: 'Linear' }).click();
    await reaches('model', 'linear');
    await page.getByRole('button', { name: 'Attribution: Linear · all time' }).waitFor();
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

  it('finds a value by the name that people see', async () => {
    await openSite('');
    await page.keyboard.press('f');
    await page.getByLabel('Filter by').selectOption('Country');
    await page.getByLabel('Values').fill('austr');
    await page.getByRole('checkbox', { name: /Austria/ }).waitFor();
    assert.equal(await page.getByRole('checkbox').count(), 1);
    await page.getByLabel('Values').fill('austria');
    await page.getByRole('button', { name: 'Apply' }).click();
    await reaches('f', 'is,visit:country,AT');
    await page.getByRole('button', { name: 'Remove filter: Country is Austria' }).click();
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

  it('filters by a property of goals, chosen by its name and its value', async () => {
    await page.getByRole('button', { name: '+ Filter' }).click();
    await page.getByRole('option', { name: 'plan' }).waitFor({ state: 'attached' });
    await page.getByLabel('Filter by').selectOption('plan');
    await page.getByRole('checkbox', { name: /monthly/ }).check();
    await page.getByRole('button', { name: 'Apply' }).click();
    await reaches('f', 'is,event:props:plan,monthly');
    await page.getByRole('button', { name: 'Change plan is monthly' }).click();
    await page.getByRole('checkbox', { name: 'monthly', checked: true }).waitFor();
    assert.equal(await page.getByLabel('Filter by').inputValue(), 'event:props:plan');
    await page.getByLabel('Filter by').selectOption('Another property…');
    await page.getByLabel('Name of the property').waitFor();
    assert.equal(await page.getByRole('dialog').getByRole('checkbox').count(), 0);
    await page.getByLabel('Name of the property').fill('colour');
    await page.getByRole('checkbox', { name: /\(none\)/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Remove filter: plan is monthly' }).click();
    await page.waitForURL((url) => !url.searchParams.has('f'));
  });

  it('starts at the values of a filter that is changed', async () => {
    await openSite('?f=is,visit:source,Google');
    await page.getByRole('button', { name: 'Change Source is Google' }).click();
    await page.locator('input:focus').waitFor();
    await page.keyboard.type('Bing');
    await page.keyboard.press('Enter');
    await reaches('f', 'is,visit:source,Google,Bing');
  });

  it('takes what is typed as a part of a value, markup and commas as they are', async () => {
    await page.getByRole('button', { name: '+ Filter' }).click();
    await page.getByLabel('Values').fill('<b>a,b</b>');
    await page.keyboard.press('Enter');
    await page.getByText('<b>a,b</b>').waitFor();
    assert.deepEqual(filters(), ['contains,visit:source,<b>a\\,b</b>']);
    await page.keyboard.press('Escape');
    await page.waitForURL((url) => !url.searchParams.has('f'));
  });

  it('copies the link', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await openSite('?period=7d');
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('menuitem', { name: 'Copy the link to this view' }).click();
    await page.getByText('Link copied').waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    assert.equal(copied, page.url());
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

  it('says which filter of the address is unknown', async () => {
    await openSite('?f=is,visit:nosuch,1&f=is,visit:device,mobile');
    await page.getByRole('status').filter({ hasText: 'is,visit:nosuch,1' }).waitFor();
    await page.getByRole('button', { name: 'Remove filter: Device is Mobile' }).click();
    await page.getByText('is,visit:nosuch,1').waitFor({ state: 'detached' });
  });

  it('says which choices of the address are unknown', async () => {
    await openSite('?model=last_tuch&window=30');
    await page.getByRole('status').filter({ hasText: 'model=last_tuch' }).waitFor();
    assert.equal(await page.getByText('window=30').count(), 0);
  });

  it('says which period of the address is unknown, on every page that has one', async () => {
    for (const path of ['', '/payments']) {
      await page.goto(`/${DEMO}${path}?period=custom&from=2026-11-20&to=2026-11-01`);
      await page.getByRole('status').filter({ hasText: 'from=2026-11-20 to=2026-11-01' }).waitFor();
    }
    await openSite('?period=foo');
    await page.getByRole('status').filter({ hasText: 'period=foo' }).waitFor();
    await page.keyboard.press('w');
    await page.getByText('period=foo').waitFor({ state: 'detached' });
  });

  it('lists the keys at ?, and leaves typed letters alone', async () => {
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('d');
    assert.equal(param('period'), null);
  });

  it('reaches sections and filters from the palette', async () => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /A page/ }).fill('browser');
    await page.keyboard.press('Enter');
    await page.getByLabel('Filter by').waitFor();
    assert.equal(await page.getByLabel('Filter by').inputValue(), 'visit:browser');
    await page.keyboard.press('Escape');
    await page.getByLabel('Filter by').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.locator('[role=combobox]:focus').waitFor();
    await page.keyboard.type('payments');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/${DEMO}/payments`);
  });

  it('filters from the palette by a value that a panel shows', async () => {
    await page.getByRole('button', { name: 'DE Germany' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.locator('[role=combobox]:focus').waitFor();
    await page.keyboard.type('germany');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/*f=is,visit:country,DE');
  });

  it('filters from the palette by a value that no panel shows', async () => {
    await page.keyboard.press('Control+k');
    await page.locator('[role=combobox]:focus').waitFor();
    await page.keyboard.type('google');
    await page.getByRole('option', { name: /^Source is\s*Google$/ }).click();
    await page.waitForURL('**/*f=is,visit:source,Google');
  });

  it('reaches sites from the palette outside of them, where few keys work', async () => {
    for (const path of ['/', '/account']) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.keyboard.press('?');
      const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
      await help.waitFor();
      assert.equal(await help.getByRole('heading', { level: 3 }).count(), 1);
      await page.keyboard.press('Escape');
      await help.waitFor({ state: 'detached' });
      await page.keyboard.press('d');
      assert.equal(param('period'), null);
      await page.keyboard.press('Control+k');
      await page.locator('[role=combobox]:focus').waitFor();
      await page.keyboard.type(`${DEMO} live`);
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/${DEMO}/live`);
    }
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

  it('finds parts of the settings by the names that they have there', async () => {
    for (const [name, part] of [
      ['API keys', 'keys'],
      ['Mail and alerts', 'mail'],
    ] as const) {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: /A page/ }).fill(name);
      await page.getByRole('option', { name: `Settings ${name}` }).click();
      await page.waitForURL(`**/${DEMO}/settings/${part}`);
      await page.getByRole('navigation', { name: 'Settings' }).getByText(name).waitFor();
    }
  });

  it('offers on each page only what changes something there', async () => {
    for (const [part, isCompared, isAttributed] of [
      ['', true, true],
      ['/attribution', false, true],
      ['/funnels', false, false],
      ['/journeys', false, false],
      ['/people', false, true],
    ] as const) {
      await page.goto(`/${DEMO}${part}`);
      await page.getByRole('button', { name: /^Period/ }).waitFor();
      const has = async (name: RegExp) => (await page.getByRole('button', { name }).count()) > 0;
      const found = [await has(/^Comparison/), await has(/^Attribution:/)];
      assert.deepEqual(found, [isCompared, isAttributed], part);
    }
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
