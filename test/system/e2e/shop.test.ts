import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { createShop } from '../../../examples/shop/shop.ts';
import { addSite, createKey } from '../../server/add-site.ts';
import { startServer, type TestServer } from '../../server/start-server.ts';
import { openVisitor } from './open-browser.ts';
import { sharePersonsBrowser } from './share-browser.ts';

const SITE = 'shop.example';
const CAMPAIGN = { source: 'newsletter', medium: 'email', campaign: 'spring-tea' } as const;

/** From a fact's acknowledgement to an answer, even on the busiest machine. */
const SHOWN_WITHIN_MS = 180_000;

type Answer = { readonly results: readonly Row[] };
type Row = { readonly dimensions: readonly string[]; readonly metrics: readonly unknown[] };

describe('a shop, from a campaign link to a refund', () => {
  let tributary: TestServer;
  let key: string;
  let shop: Server;
  let browser: Browser;
  let page: Page;

  before(async () => {
    tributary = await startServer();
    await addSite(tributary.dataDir, SITE, { currency: 'EUR' });
    key = await createKey(tributary.dataDir, SITE);
    shop = createShop({ site: SITE, tributary: { url: tributary.url, key } });
    shop.listen(0, '127.0.0.1');
    await once(shop, 'listening');
    browser = await sharePersonsBrowser();
    page = await (await openVisitor(browser)).newPage();
  });
  after(async () => {
    for (const context of browser?.contexts() ?? []) await context.close();
    shop?.closeAllConnections();
    shop?.close();
    await tributary?.stop();
    tributary?.cleanUp();
  });

  it('shows a visitor who arrives from a campaign and looks around', async () => {
    const { source, medium, campaign } = CAMPAIGN;
    const port = (shop.address() as AddressInfo).port;
    const tags = `utm_source=${source}&utm_medium=${medium}&utm_campaign=${campaign}`;
    await show(() => page.goto(`http://www.${SITE}:${port}/?${tags}`));
    await show(() => page.getByRole('link', { name: 'Sign up' }).click());

    await untilShown({ metrics: ['visitors', 'visits', 'pageviews'], dimensions: BY_CAMPAIGN }, [
      { dimensions: Object.values(CAMPAIGN), metrics: [1, 1, 2] },
    ]);
  });

  it('credits a sign-up to the campaign', async () => {
    await page.getByLabel('Tea club').check();
    await show(() => page.getByRole('button', { name: 'Sign up' }).click());

    await untilShown({ metrics: ['conversions'], dimensions: [...BY_CAMPAIGN, 'event:goal'] }, [
      { dimensions: [...Object.values(CAMPAIGN), 'sign_up'], metrics: [1] },
    ]);
  });

  it('credits a payment to the campaign, to the cent', async () => {
    await show(() => page.getByRole('link', { name: 'See the kettles' }).click());
    await page.getByLabel('E-mail').fill('ada@example.com');
    await show(() => page.getByRole('button', { name: 'Buy' }).click());

    await untilShown({ metrics: MONEY, dimensions: BY_CAMPAIGN }, [
      {
        dimensions: Object.values(CAMPAIGN),
        metrics: [1, euros('29.99'), euros('0.00'), euros('29.99')],
      },
    ]);
  });

  it('takes a refund back from the campaign', async () => {
    await show(() => page.getByRole('button', { name: 'Send it back' }).click());

    await untilShown({ metrics: MONEY, dimensions: BY_CAMPAIGN }, [
      {
        dimensions: Object.values(CAMPAIGN),
        metrics: [1, euros('29.99'), euros('29.99'), euros('0.00')],
      },
    ]);
  });

  it('leaves out what a program does, and shows every page of the person', async () => {
    const robot = await browser.newContext({ userAgent: 'Mozilla/5.0 HeadlessChrome/146.0' });
    const robotPage = await robot.newPage();
    await show(() => robotPage.goto(new URL('/kettles', page.url()).href), robotPage);
    await show(() => page.getByRole('link', { name: 'Home' }).click()); // Ships after the robot's.

    const pageviews = { '/': 2, '/kettles': 1, '/refunded': 1, '/sign-up': 1, '/thanks': 1 };
    await untilShown(
      { metrics: ['pageviews'], dimensions: ['event:page'] },
      Object.entries({ ...pageviews, '/welcome': 1 }).map(([path, count]) => ({
        dimensions: [path],
        metrics: [count],
      })),
    );
  });

  const BY_CAMPAIGN = ['visit:source', 'visit:medium', 'visit:campaign'];
  const MONEY = ['payments', 'gross_revenue', 'refunds', 'revenue'];

  /** Goes to another page and waits until its pageview is acknowledged. */
  async function show(go: () => Promise<unknown>, where = page): Promise<void> {
    const acknowledged = where.waitForResponse((response) => {
      return response.request().method() === 'POST' && response.url().startsWith(tributary.url);
    });
    await go();
    assert.equal((await acknowledged).status(), 200);
  }

  /** Retries until the answer is as expected; fails with the last answer on timeout. */
  async function untilShown(query: object, expected: readonly Row[]): Promise<void> {
    const deadline = Date.now() + SHOWN_WITHIN_MS;
    for (;;) {
      const rows = await ask(query);
      if (rows !== undefined && isSame(rows, expected)) return;
      if (Date.now() > deadline) assert.deepEqual(rows, expected);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** None if the server is busy and asks to be asked again. */
  async function ask(query: object): Promise<Row[] | undefined> {
    const response = await fetch(`${tributary.url}/api/v1/query`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ site_id: SITE, date_range: '7d', ...query }),
    });
    const body = await response.text();
    if (response.status === 503) return undefined;
    assert.equal(response.status, 200, body);
    const { results } = JSON.parse(body) as Answer;
    return results.map(({ dimensions, metrics }) => ({ dimensions, metrics }));
  }
});

function euros(value: string) {
  return { value, currency: 'EUR' };
}

function isSame(rows: readonly Row[], expected: readonly Row[]): boolean {
  const inOrder = (list: readonly Row[]) => JSON.stringify(list.toSorted(byDimensions));
  return inOrder(rows) === inOrder(expected);
}

function byDimensions(a: Row, b: Row): number {
  return a.dimensions.join().localeCompare(b.dimensions.join());
}
