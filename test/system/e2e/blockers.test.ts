import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { toScriptPath } from '#contract/sites/script-path.ts';
import { addSite, createKey } from '../../server/add-site.ts';
import { type Caller, callerOf } from '../../server/caller.ts';
import { shareServer } from '../../server/share-server.ts';
import type { TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';
import { BLOCKED } from './blocked.ts';
import { openVisitor } from './open-browser.ts';
import { shareBrowser } from './share-browser.ts';

describe('a browser with a blocker', () => {
  let tributary: TestServer;
  let pages: Server;
  let caller: Caller;
  let browser: Browser;
  let visitor: BrowserContext;
  let page: Page;
  let path: string;
  let tag: string;
  const printed: string[] = [];

  before(async () => {
    tributary = await shareServer();
    const { url, dataDir } = tributary;
    path = toScriptPath(await addSite(dataDir, 'shop.example'));
    caller = callerOf(url, 'shop.example', await createKey(dataDir, 'shop.example'));
    await untilServed(`${url}${path}`);
    pages = createServer((_request, response) =>
      response
        .setHeader('content-type', 'text/html')
        .end(`<!doctype html><title>Shop</title><link rel="icon" href="data:,">${tag}`),
    ).listen(0, '127.0.0.1');
    await once(pages, 'listening');
    browser = await shareBrowser();
  });
  beforeEach(async () => {
    visitor = await openVisitor(browser);
    page = await visitor.newPage();
    printed.length = 0;
    page.on('console', (line) => printed.push(line.text()));
  });
  afterEach(() => visitor.close());
  after(() => {
    pages?.closeAllConnections();
    pages?.close();
  });

  function open(host: string, script: string, site = 'shop.example'): Promise<unknown> {
    const { port } = new URL(tributary.url);
    tag = `<script defer data-site="${site}" src="http://${script.replace('/', `:${port}/`)}"></script>`;
    return page.goto(`http://${host}:${(pages.address() as AddressInfo).port}/`);
  }

  async function countPageviews(): Promise<number> {
    const { body } = await caller.query({ metrics: ['pageviews'] });
    return Number((body as { results: { metrics: number[] }[] }).results[0]?.metrics[0] ?? 0);
  }

  it('lets a site’s own path pass, and pageviews arrive', async () => {
    const stopped: string[] = [];
    await page.route(BLOCKED, (route) => {
      stopped.push(new URL(route.request().url()).pathname);
      return route.abort();
    });
    await open('www.shop.example', 'stats.example.com/js/script.js');
    await open('www.shop.example', 'hi.example.com/js/script.js');
    assert.deepEqual(stopped, ['/js/script.js', '/js/script.js'], 'the usual path is blocked');
    const sent = page.waitForResponse((answer) => answer.request().method() === 'POST');
    await open('www.shop.example', `hi.example.com${path}`);
    assert.deepEqual(await (await sent).json(), { status: 'success', accepted: 1, dropped: [] });
    assert.equal(new URL((await sent).url()).pathname, path);
    await waitUntil(countPageviews, (count) => count === 1);
    assert.deepEqual(
      printed.filter((line) => !line.includes('ERR_FAILED')),
      [],
    );
  });

  it('is told what to do about a mistyped site, once', async () => {
    await open('www.shop.example', `hi.example.com${path}`, 'shpo.example');
    const lines = await waitUntil(
      async () => printed,
      ({ length }) => length > 0,
    );
    await page.evaluate("tributary('goal', 'one')");
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 200))');
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', /no site shpo\.example.*site add shpo\.example/);
  });

  it('is told how to write a goal’s name and its properties, once', async () => {
    await open('www.shop.example', `hi.example.com${path}`);
    await page.evaluate(`document.body.insertAdjacentHTML('beforeend',
      '<button data-goal="Sign Up">Sign up</button>')`);
    await page.getByText('Sign up').click();
    const [line] = await waitUntil(
      async () => printed,
      ({ length }) => length > 0,
    );
    assert.match(line ?? '', /its name must be 1 to 64 .*\. Write "sign_up", not "Sign Up"\.$/);
    await open('www.shop.example', `hi.example.com${path}`);
    await page.evaluate("tributary('goal', 'signup', { plan: { name: 'pro' } })");
    const [, other] = await waitUntil(
      async () => printed,
      ({ length }) => length > 1,
    );
    assert.match(other ?? '', /its metadata\/plan must be a string\.$/);
  });

  it('is told what to write where a goal has no name', async () => {
    await open('www.shop.example', `hi.example.com${path}`);
    await page.evaluate(`document.body.insertAdjacentHTML('beforeend',
      '<button data-goal="">Nameless</button>')`);
    await page.getByText('Nameless').click();
    const [line] = await waitUntil(
      async () => printed,
      ({ length }) => length > 0,
    );
    assert.match(line ?? '', /its name must be 1 to 64 .*\. Write "signup", not ""\.$/);
  });

  it('is told what to do about a host that is not allowed', async () => {
    await open('elsewhere.example', `hi.example.com${path}`);
    const [line] = await waitUntil(
      async () => printed,
      ({ length }) => length > 0,
    );
    assert.match(line ?? '', /site set shop\.example --allow elsewhere\.example/);
  });

  it('is told what to do on a page of the developer’s own machine', async () => {
    await open('localhost', `127.0.0.1${path}`);
    assert.equal(printed.length, 1);
    assert.match(printed[0] ?? '', /data-allow-localhost/);
  });
});

describe('the path of a site', () => {
  it('answers as the script and the endpoint do, and no other path does', async () => {
    const tributary = await shareServer();
    const path = toScriptPath(await addSite(tributary.dataDir, 'other.example'));
    const url = `${tributary.url}${path}`;
    const script = await untilServed(url);
    assert.equal(await script.text(), await (await fetch(`${tributary.url}/js/script.js`)).text());
    assert.equal((await fetch(`${url}?v=2`)).status, 200);
    const preflight = await fetch(url, { method: 'OPTIONS' });
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers.get('access-control-allow-origin'), '*');
    assert.equal(preflight.headers.get('access-control-allow-methods'), 'POST');
    for (const type of ['text/plain', 'application/json']) {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': type },
        body: JSON.stringify({
          site: 'other.example',
          type: 'pageview',
          url: 'https://other.example/',
        }),
      });
      assert.equal(answer.headers.get('access-control-allow-origin'), '*');
      assert.equal(((await answer.json()) as { status: string }).status, 'success');
    }
    for (const method of ['GET', 'POST']) {
      const unknown = await fetch(`${tributary.url}/bcdfghjkmnpq/app.js`, { method });
      assert.equal(unknown.status, 404);
    }
  });
});

/** Fetches a site's script as soon as it is there: a server sees within a second what another process has added. */
function untilServed(url: string): Promise<Response> {
  return waitUntil(
    () => fetch(url),
    ({ status }) => status === 200,
  );
}
