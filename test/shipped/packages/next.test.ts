import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { addSite, createKey } from '../../server/add-site.ts';
import { type Caller, callerOf } from '../../server/caller.ts';
import { shareServer } from '../../server/share-server.ts';
import { waitUntil } from '../../server/wait-until.ts';
import { openVisitor } from '../../system/e2e/open-browser.ts';
import { sharePersonsBrowser } from '../../system/e2e/share-browser.ts';
import { buildNext, startNext } from '../examples/build-next.ts';
import type { RunningExample } from '../examples/run-example.ts';

const SITE = 'kettles.example';
/** Addresses and their countries. */
const VISITORS = [
  ['81.2.69.142', 'GB'],
  ['89.160.20.112', 'SE'],
] as const;

describe('@tributary/next in a Next.js application that is built and runs', () => {
  const cleanUps: (() => unknown)[] = [];
  let unreachable: string | undefined;
  let caller: Caller;
  let shop: RunningExample;
  let browser: Browser;

  before(async () => {
    const installed = await buildNext();
    if ('unreachable' in installed) {
      unreachable = installed.unreachable;
      return;
    }
    const tributary = await shareServer(); // It trusts no proxy.
    await addSite(tributary.dataDir, SITE);
    caller = callerOf(tributary.url, SITE, await createKey(tributary.dataDir, SITE));
    const settings = { TRIBUTARY_URL: tributary.url, TRIBUTARY_KEY: caller.key };
    shop = await startNext(installed.folder, settings);
    cleanUps.push(shop.stop);
    browser = await sharePersonsBrowser();
  });
  after(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  });

  it('shows each visitor in their own country', async (t) => {
    if (isSkipped(t)) return;
    for (const [address] of VISITORS) {
      const { visitor, page } = await visit(address);
      await page.goto(`${addressOfShop()}?again=1`);
      const [cookie] = (await visitor.cookies()).filter(isOfVisitor);
      assert.equal(await page.locator('#visitor').textContent(), cookie?.value);
      await visitor.close();
    }
    await shows({ metrics: ['visitors'], dimensions: ['visit:country'] }, [
      ...VISITORS.map(([, country]) => ({ dimensions: [country], metrics: [1] })),
    ]);
  });

  it('sets the cookie from the server, for the whole site and a year', async (t) => {
    if (isSkipped(t)) return;
    const { visitor, said } = await visit(VISITORS[0][0]);
    assert.match(
      (await said.allHeaders())['set-cookie'] ?? '',
      /^service_visitor_id=[\w-]{36}; Path=\/; Max-Age=31536000; SameSite=Lax; Domain=kettles\.example$/,
    );
    await visitor.close();
  });

  it('knows the visitor in server actions and route handlers', async (t) => {
    if (isSkipped(t)) return;
    const { visitor, page } = await visit(VISITORS[1][0]);
    await page.getByRole('button', { name: 'Choose' }).click();
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByText('Welcome').waitFor();
    await shows({ metrics: ['events'], dimensions: ['event:goal'] }, [
      { dimensions: ['chosen'], metrics: [1] },
      { dimensions: ['signup'], metrics: [1] },
    ]);
    await visitor.close();
  });

  function addressOfShop(): string {
    return `http://www.${SITE}:${new URL(shop.url).port}/kettles`;
  }

  /** A visitor whose proxy says where they come from, on the first page, once it is reported. */
  async function visit(address: string) {
    const visitor: BrowserContext = await openVisitor(browser);
    await visitor.setExtraHTTPHeaders({ 'x-forwarded-for': address });
    const page: Page = await visitor.newPage();
    const reported = page.waitForResponse(
      (response) => response.request().method() === 'POST' && response.url().endsWith('/t.js'),
    );
    await page.goto(`${addressOfShop()}?utm_source=newsletter`);
    return { visitor, page, said: await reported };
  }

  async function shows(query: Parameters<Caller['query']>[0], results: unknown): Promise<void> {
    const order_by = [[(query.dimensions as string[])[0], 'asc']];
    await waitUntil(
      () => caller.query({ ...query, order_by }),
      ({ body }) =>
        JSON.stringify((body as { results: unknown }).results) === JSON.stringify(results),
    );
  }

  function isSkipped(t: TestContext): boolean {
    if (unreachable !== undefined) t.skip(unreachable);
    return unreachable !== undefined;
  }
});

const isOfVisitor = ({ name }: { readonly name: string }) => name === 'service_visitor_id';
