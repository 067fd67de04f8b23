import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { chromium, type Page, type Route } from 'playwright-core';
import { addCaller } from '../../server/caller.ts';
import { waitUntil } from '../../server/wait-until.ts';
import { CHROMIUM_PATH, PERSONS_ARGS } from '../e2e/open-browser.ts';
import { findFaults, findFaultsDayAndNight } from './find-faults.ts';
import { DEMO, forgetKept, type OpenDashboard, openSignedIn } from './open-dashboard.ts';
import { shareDashboard } from './share-dashboard.ts';
import { askApi } from './steps/ask-api.ts';
import { watchFirstView } from './steps/watch-first-view.ts';

const FIRST_CONTENT_MS = 500;
const ALL_PANELS_MS = 1_000;
const SHIFT_MAX = 0.02;
/** What still loads after the first rows is there by then. */
const SETTLED_MS = 1_000;

/** A site with one visitor, who paid once. */
const SMALL = 'small.example';

describe('the first view of a site', () => {
  let dashboard: OpenDashboard;
  before(async () => {
    dashboard = await shareDashboard();
  });
  after(() => dashboard?.close());

  it('is reached from the list of sites, and shows the numbers that the API gives', async () => {
    const { page } = dashboard;
    const query = { metrics: ['visitors'], date_range: '30d' };
    const [row] = await askApi<{ metrics: [number] }>(dashboard, '/api/v1/query', query);
    const visitors = row?.metrics[0] ?? 0;
    assert.ok(visitors > 0);
    await page.goto('/');
    await page.getByRole('link', { name: DEMO }).click();
    await page.waitForURL(`**/${DEMO}`);
    const shown = new Intl.NumberFormat('en-GB').format(visitors);
    await page.getByRole('button', { name: new RegExp(`^Visitors ${shown}`) }).waitFor();
  });

  it('opens when it is clicked, although its figures come before the button is up', async () => {
    const { page } = dashboard;
    const figures = Promise.withResolvers<void>();
    const hold = async (route: Route) => {
      await figures.promise;
      await route.continue();
    };
    await page.route('**/api/v1/query', hold);
    await forgetKept(page, dashboard.server.url);
    await page.goto('/');
    const card = page.getByRole('link', { name: DEMO });
    await card.hover();
    await page.mouse.down();
    figures.resolve();
    await card.locator('svg').waitFor();
    await page.mouse.up();
    await page.waitForURL(`**/${DEMO}`);
    await page.unroute('**/api/v1/query', hold);
  });

  it('can be installed as an app', async () => {
    // In a profile of its own: the usual pages of tests are private windows, which install nothing.
    const profile = mkdtempSync(join(tmpdir(), 'tributary-profile-'));
    const context = await chromium.launchPersistentContext(profile, {
      ...{ executablePath: CHROMIUM_PATH, args: [...PERSONS_ARGS] },
    });
    try {
      const page = await context.newPage();
      await page.goto(dashboard.server.url);
      const devTools = await context.newCDPSession(page);
      const found = await devTools.send('Page.getInstallabilityErrors');
      assert.deepEqual(found.installabilityErrors, []);
      const { data } = await devTools.send('Page.getAppManifest');
      assert.equal(JSON.parse(data ?? '').name, 'Tributary');
    } finally {
      await context.close();
      rmSync(profile, { recursive: true });
    }
  });

  it('has a title of its own, like every page', async () => {
    const stranger = await dashboard.browser.newPage({ baseURL: dashboard.server.url });
    for (const [path, title, page = dashboard.page] of [
      ['/', 'All sites · Tributary'],
      [`/${DEMO}`, `Overview · ${DEMO} · Tributary`],
      [`/${DEMO}/payments`, `Payments · ${DEMO} · Tributary`],
      [`/${DEMO}/settings/keys`, `API keys · Settings · ${DEMO} · Tributary`],
      ['/account', 'Your account · Tributary'],
      // Whoever is signed in is led on.
      ['/sign-in', 'Sign in · Tributary', stranger],
    ] as [string, string, Page?][]) {
      await page.goto(path);
      await waitUntil(
        () => page.title(),
        (shown) => shown === title,
      );
    }
    await stranger.context().close();
  });

  it('has nothing that axe finds, by day and by night', async () => {
    const { page } = dashboard;
    await page.goto(`/${DEMO}`);
    await page.getByRole('button', { name: /^Visitors \d/ }).waitFor();
    assert.deepEqual(await findFaultsDayAndNight(page), []);
  });

  it('is there soon, and shifts nothing', async (t) => {
    const page = await openSignedIn(dashboard.browser, dashboard.server);
    const { firstContentMs, allPanelsMs } = await watchFirstView(page, `/${DEMO}`);
    const shift = await page.evaluate(sumShifts);
    t.diagnostic(`first content after ${Math.round(firstContentMs)} ms (${FIRST_CONTENT_MS})`);
    t.diagnostic(`all panels after ${Math.round(allPanelsMs)} ms (${ALL_PANELS_MS})`);
    t.diagnostic(`layout shift ${shift.toFixed(3)} (${SHIFT_MAX})`);
    assert.ok(shift <= SHIFT_MAX, `the page shifts by ${shift}`);
    await page.context().close();
  });

  describe('on a phone', () => {
    before(async () => {
      const { url, dataDir } = dashboard.server;
      await dashboard.page.setViewportSize({ width: 360, height: 740 });
      const caller = await addCaller(url, dataDir, SMALL);
      await caller.pageview('one-visitor');
      const payment = { amount: 20, currency: 'USD', service_visitor_id: 'one-visitor' };
      await caller.payment({ ...payment, transaction_id: 'one-payment' });
      await caller.payment({ ...payment, transaction_id: 'dinars', currency: 'KWD' });
      await waitUntil(
        () => caller.query({ metrics: ['visitors', 'payments'] }),
        ({ body }) => JSON.stringify(body).includes('"metrics":[1,2]'),
      );
    });

    it('gives short panels no more room than they need', async () => {
      const { page } = dashboard;
      await page.goto(`/${SMALL}`);
      const panel = page.locator('[data-panel]').first();
      await panel.locator('[data-row]').first().waitFor();
      const { height = 0 } = (await panel.boundingBox()) ?? {};
      const { height: ofTabs = 0 } = (await panel.locator('fieldset').boundingBox()) ?? {};
      assert.ok(height - ofTabs < 140, `${height - ofTabs} px for one row`);
    });

    it('keeps figures still when a note about money appears', async () => {
      const { page } = dashboard;
      for (const address of [`/${SMALL}`, `/${SMALL}/payments`, `/${SMALL}/people/one-visitor`]) {
        await forgetKept(page, dashboard.server.url);
        await page.goto(address);
        await page.getByText(/^Revenue does not include KWD.20\.000/).waitFor();
        await page.waitForTimeout(SETTLED_MS);
        const shift = await page.evaluate(sumShifts);
        assert.ok(shift <= SHIFT_MAX, `${address} shifts by ${shift}`);
        assert.deepEqual(await findFaults(page), []);
      }
    });

    for (const [address, part] of [
      ['/', 'main dd em'],
      ...[DEMO, SMALL].flatMap((site) => [
        [`/${site}`, '[data-panel] [data-row]'],
        [`/${site}/attribution`, 'main h2'],
        [`/${site}/live`, '[role=group] path'],
      ]),
    ] as [address: string, part: string][]) {
      it(`shifts nothing at ${address}`, async () => {
        const { page } = dashboard;
        await forgetKept(page, dashboard.server.url);
        await page.goto(address);
        await page.locator(part).first().waitFor();
        await page.waitForTimeout(SETTLED_MS);
        const shift = await page.evaluate(sumShifts);
        assert.ok(shift <= SHIFT_MAX, `the page shifts by ${shift}`);
      });
    }
  });
});

/** How much the page has shifted so far. */
function sumShifts(): Promise<number> {
  return new Promise((resolve) => {
    let sum = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) sum += (entry as unknown as { value: number }).value;
    }).observe({ type: 'layout-shift' as 'measure', buffered: true }); // Node's types lack it.
    setTimeout(() => resolve(sum), 200);
  });
}
