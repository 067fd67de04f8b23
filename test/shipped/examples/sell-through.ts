import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, it, type TestContext } from 'node:test';
import type { Browser } from 'playwright-core';
import { addSite, createKey } from '../../server/add-site.ts';
import { type Caller, callerOf } from '../../server/caller.ts';
import { shareServer } from '../../server/share-server.ts';
import { runCli, type TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';
import { openVisitor } from '../../system/e2e/open-browser.ts';
import { sharePersonsBrowser } from '../../system/e2e/share-browser.ts';
import { type FaultyWay, openFaultyWay } from './faulty-way.ts';
import type { Installed, RunningExample } from './run-example.ts';

/** Where a provider would send its events. */
export type Destination = { readonly url: string; readonly secret: string };

/** How an example is run. */
export type ExampleSetup = {
  /** Its folder. */
  readonly example: string;
  readonly provider: string;
  readonly secret: string;
  /** Starts the provider's stub, which first answers with the faults. */
  createStub(destination: Destination, faults: number[]): Server;
  install(): Promise<Installed>;
  start(folder: string, env: Readonly<Record<string, string>>): Promise<RunningExample>;
  /** The variables that name the stub. */
  variables(stubUrl: string): Readonly<Record<string, string>>;
};

const MONEY = ['payments', 'revenue'];

/** Runs an example: a visitor of a newsletter buys from it through the stub, while much goes wrong. */
export function sellThrough(setup: ExampleSetup): void {
  const { example, provider, secret } = setup;
  const site = `${example}.example`;
  const cleanUps: (() => unknown)[] = [];
  let unreachable: string | undefined;
  let tributary: TestServer;
  let caller: Caller;
  let way: FaultyWay;
  let shop: RunningExample;
  let browser: Browser;
  const faults = [500];

  before(async () => {
    const installed = await setup.install();
    if ('unreachable' in installed) {
      unreachable = installed.unreachable;
      return;
    }
    tributary = await shareServer();
    await addSite(tributary.dataDir, site, { currency: 'EUR' });
    caller = callerOf(tributary.url, site, await createKey(tributary.dataDir, site));
    const connect = ['provider', 'connect', provider, '--site', site, '--signing-secret', secret];
    const { id } = await runCli<{ id: string }>(connect, tributary.dataDir);
    const destination = { url: `${tributary.url}/webhooks/${id}`, secret };
    const stubUrl = await listen(setup.createStub(destination, faults));
    way = await openFaultyWay(tributary.url, ['unavailable', 'no answer']);
    cleanUps.push(way.close);
    shop = await setup.start(installed.folder, {
      ...{ PORT: '0', SITE: site, TRIBUTARY_URL: way.url, TRIBUTARY_KEY: caller.key },
      TRIBUTARY_SCRIPT: `${tributary.url}/js/script.js`,
      ...setup.variables(stubUrl),
    });
    cleanUps.push(shop.stop);
    browser = await sharePersonsBrowser();
  });
  after(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  });

  it('sells to a visitor although the provider fails at first', async (t) => {
    if (isSkipped(t)) return;
    const visitor = await openVisitor(browser);
    const page = await visitor.newPage();
    const { port } = new URL(shop.url);
    const seen = page.waitForResponse((response) => {
      return response.request().method() === 'POST' && response.url().startsWith(tributary.url);
    });
    await page.goto(`http://www.${site}:${port}/?utm_source=newsletter`);
    await seen;
    const cookies = await visitor.cookies();
    assert.ok(cookies.some(({ name }) => name === 'service_visitor_id'));
    await page.getByRole('button', { name: 'Buy' }).click();
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByRole('heading', { name: 'Thanks' }).waitFor();
    assert.deepEqual(faults, []);
  });

  it('carries the visitor id to the payment that the provider reports', async (t) => {
    if (isSkipped(t)) return;
    await shows(MONEY, [1, { value: '29.99', currency: 'EUR' }]);
  });

  it('repeats a goal with one key until it is answered, and it counts once', async (t) => {
    if (isSkipped(t)) return;
    await waitUntil(
      async () => way.keys,
      (keys) => keys.length === 3,
    );
    const [key = ''] = way.keys;
    assert.match(key, /^checkout-\w+/);
    assert.deepEqual(way.keys, [key, key, key]);
    await shows(['conversions'], [1]);
    assert.doesNotMatch(shop.said(), /did not take/);
  });

  /** Not passed: an example whose packages are missing has proved nothing. */
  function isSkipped(t: TestContext): boolean {
    if (unreachable !== undefined) t.skip(unreachable);
    return unreachable !== undefined;
  }

  async function listen(server: Server): Promise<string> {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanUps.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async function shows(metrics: readonly string[], expected: readonly unknown[]): Promise<void> {
    const wanted = JSON.stringify([{ dimensions: ['newsletter'], metrics: expected }]);
    const isShown = (body: unknown) =>
      JSON.stringify((body as { results?: unknown }).results) === wanted;
    await waitUntil(
      () => caller.query({ metrics, dimensions: ['visit:source'] }),
      ({ body }) => isShown(body),
    );
  }
}
