import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { ROOT } from '../../architecture/source-files.ts';
import { addSite, createKey } from '../../server/add-site.ts';
import { type Caller, callerOf } from '../../server/caller.ts';
import { shareServer } from '../../server/share-server.ts';
import type { TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';
import { installExample, startExample } from '../examples/run-example.ts';
import { installPacked } from './pack-packages.ts';

const SITE = 'recipes.example';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const VISITOR = '81.2.69.142';
const COUNTRY = 'GB';
const CHARGE = { amount: 2_999, currency: 'EUR' };

/** A request of a browser to a site that is built by a recipe. */
type Ask = (path: string, init: RequestInit) => Promise<Response>;
// biome-ignore lint/suspicious/noExplicitAny: a recipe is JavaScript, and its framework's types are not installed here.
type Loaded = any;

describe('the recipes', () => {
  const cleanUps: (() => unknown)[] = [];
  let unreachable: string | undefined;
  let folder: string;
  let tributary: TestServer;
  let caller: Caller;

  before(async () => {
    const installed = await installExample('recipes');
    if ('unreachable' in installed) {
      unreachable = installed.unreachable;
      return;
    }
    folder = installed.folder;
    await installPacked(folder);
    tributary = await shareServer(); // It trusts no proxy.
    await addSite(tributary.dataDir, SITE, { currency: 'EUR' });
    caller = callerOf(tributary.url, SITE, await createKey(tributary.dataDir, SITE));
    Object.assign(process.env, { TRIBUTARY_URL: tributary.url, TRIBUTARY_KEY: caller.key });
  });
  after(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  });

  const load = (path: string): Promise<Loaded> => import(pathToFileURL(join(folder, path)).href);
  const loadPackage = (name: string): Promise<Loaded> =>
    import(pathToFileURL(createRequire(join(folder, 'x.js')).resolve(name)).href);

  async function listen(server: Server | RequestListener): Promise<Ask> {
    const opened = typeof server === 'function' ? createServer(server) : server;
    opened.listen(0, '127.0.0.1');
    await once(opened, 'listening');
    cleanUps.push(() => {
      opened.closeAllConnections();
      opened.close();
    });
    const { port } = opened.address() as AddressInfo;
    return (path, init) =>
      fetch(`http://127.0.0.1:${port}${path}`, { ...init, redirect: 'manual' });
  }

  it('for Express', async (t) => {
    if (isSkipped(t)) return;
    const recipe = await load('express.js');
    const { default: express } = await loadPackage('express');
    const app = express();
    app.all('/t.js', recipe.serveScript);
    app.post('/signup', recipe.signUp);
    app.post('/pay', express.json(), async (request: Loaded, response: Loaded) =>
      response.json(await recipe.reportPayment(request, request.body)),
    );
    await sellThrough('express', await listen(app));
  });

  it('for Hono', async (t) => {
    if (isSkipped(t)) return;
    const { app } = await load('hono.ts');
    const { getRequestListener } = await loadPackage('@hono/node-server');
    await sellThrough('hono', await listen(getRequestListener(app.fetch)));
  });

  it('for Nuxt, whose server is Nitro with h3', async (t) => {
    if (isSkipped(t)) return;
    const { default: middleware } = await load('nuxt.ts');
    const { createApp, createRouter, eventHandler, readBody, toNodeListener } =
      await loadPackage('h3');
    const app = createApp();
    app.use(middleware);
    const router = createRouter()
      .post(
        '/signup',
        eventHandler(({ context }: Loaded) => signUp(context)),
      )
      .post(
        '/pay',
        eventHandler(async (event: Loaded) => pay(event.context, await readBody(event))),
      );
    app.use(router);
    await sellThrough('nuxt', await listen(toNodeListener(app)));
  });

  it('for SvelteKit, built and running', async (t) => {
    if (isSkipped(t)) return;
    const app = join(folder, 'sveltekit-app');
    cpSync(join(ROOT, 'test/shipped/packages/sveltekit-app'), app, { recursive: true });
    copyFileSync(join(folder, 'sveltekit.js'), join(app, 'src/hooks.server.js'));
    const vite = join(folder, 'node_modules/vite/bin/vite.js');
    await promisify(execFile)(process.execPath, [vite, 'build'], { cwd: app });
    const server = await startExample(app, ['build/index.js'], { HOST: '127.0.0.1', PORT: '0' });
    cleanUps.push(server.stop);
    await sellThrough('sveltekit', (path, init) => fetch(`${server.url}${path}`, init));
  });

  it('for Astro, by its endpoint', async (t) => {
    if (isSkipped(t)) return;
    const recipe = await load('astro.ts');
    assert.equal(recipe.prerender, false);
    await sellThrough('astro', async (path, init) => {
      const request = new Request(`https://www.${SITE}${path}`, init);
      if (path === '/t.js') return recipe.ALL({ request, clientAddress: '127.0.0.1' });
      const own = { tributary: recipe.tributary, visitor: recipe.visitorFrom(request) };
      return Response.json(path === '/pay' ? await pay(own, await request.json()) : signUp(own));
    });
  });

  it('compile, where they are TypeScript, with the types of their frameworks', async (t) => {
    if (isSkipped(t)) return;
    const compilerOptions = {
      ...{ module: 'NodeNext', target: 'ES2022', lib: ['ES2022', 'DOM'], strict: true },
      ...{ noEmit: true, skipLibCheck: true, types: ['node'] },
      typeRoots: [join(ROOT, 'node_modules/@types')],
    };
    const files = ['hono.ts', 'nuxt.ts', 'astro.ts'];
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const ended = promisify(execFile)(process.execPath, [tsc, '-p', folder]);
    await ended.catch(({ stdout }) => assert.fail(stdout));
  });

  it('are what the pages of the frameworks show', () => {
    for (const file of ['express.js', 'hono.ts', 'sveltekit.js', 'nuxt.ts', 'astro.ts']) {
      const recipe = normalize(readFileSync(join(ROOT, 'examples/recipes', file), 'utf8'));
      const [name = ''] = file.split('.');
      const page = readFileSync(join(ROOT, 'docs/frameworks', `${name}.md`), 'utf8');
      const blocks = [...page.matchAll(/```(?:js|ts|html)\n([\s\S]+?)```/g)].map(
        ([, code]) => code,
      );
      assert.ok(blocks.length >= 5, name);
      for (const block of blocks) {
        assert.ok(recipe.includes(normalize(block ?? '')), `${file} has not:\n${block}`);
      }
    }
  });

  /** A visitor of the site comes, signs up and pays, and has their own place. */
  async function sellThrough(visitor: string, ask: Ask): Promise<void> {
    const page = `https://www.${SITE}`;
    const ofBrowser = {
      ...{ 'user-agent': FIREFOX, origin: page, cookie: `service_visitor_id=${visitor}` },
      ...{ 'x-forwarded-for': VISITOR, 'x-forwarded-host': `www.${SITE}` },
    };
    const script = await ask('/t.js', { headers: ofBrowser });
    assert.match(await script.text(), /service_visitor_id/);
    const event = { site: SITE, type: 'pageview', url: `${page}/`, service_visitor_id: visitor };
    const shown = await ask('/t.js', {
      method: 'POST',
      headers: { ...ofBrowser, 'content-type': 'text/plain' },
      body: JSON.stringify({ events: [event] }),
    });
    assert.deepEqual(await shown.json(), { status: 'success', accepted: 1, dropped: [] });
    assert.match(
      shown.headers.getSetCookie().join(),
      new RegExp(`^service_visitor_id=${visitor};`),
    );
    assert.ok((await ask('/signup', { method: 'POST', headers: ofBrowser })).status < 400);
    const paid = await ask('/pay', {
      method: 'POST',
      headers: { ...ofBrowser, 'content-type': 'application/json' },
      body: JSON.stringify({ ...CHARGE, id: `tx-${visitor}` }),
    });
    assert.match(JSON.stringify(await paid.json()), /attributed/);
    await showsAll(visitor);
  }

  async function showsAll(visitor: string): Promise<void> {
    const look = async () => {
      const answer = await fetch(`${tributary.url}/api/v1/visitors/${visitor}`, {
        headers: { authorization: `Bearer ${caller.key}` },
      });
      return (await answer.json()) as {
        readonly visits?: readonly { readonly country?: string }[];
        readonly events?: readonly { readonly type?: string; readonly name?: string }[];
        readonly payments?: readonly unknown[];
      };
    };
    const isDone = ({ events = [], payments = [] }: Awaited<ReturnType<typeof look>>) =>
      events.some(({ type }) => type === 'goal') && payments.length === 1;
    const { visits } = await waitUntil(look, isDone);
    assert.equal(visits?.[0]?.country, COUNTRY);
  }

  function isSkipped(t: TestContext): boolean {
    if (unreachable !== undefined) t.skip(unreachable);
    return unreachable !== undefined;
  }
});

/** What the comments of the recipes show. */
function signUp({ tributary, visitor }: Loaded): object {
  tributary.queue.goal({ service_visitor_id: visitor, name: 'signup' });
  return {};
}

function pay({ tributary, visitor }: Loaded, charge: Loaded): Promise<object> {
  return tributary.payment({
    service_visitor_id: visitor,
    amount_minor: charge.amount,
    currency: charge.currency,
    transaction_id: charge.id,
  });
}

/** Without comment signs and indentation. */
function normalize(code: string): string {
  return code
    .replaceAll(/^\s*(?:\/\/|\*)?\s*/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
