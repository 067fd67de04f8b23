import assert from 'node:assert/strict';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { keepOpen } from '../../run/keep-open.ts';
import { addOwner, signIn } from '../../server/sign-in.ts';
import { runCli, startServer, type TestServer } from '../../server/start-server.ts';
import { shareBrowser } from '../e2e/share-browser.ts';

/** The owner of every dashboard opened by a test. */
export const OWNER = {
  name: 'Ada Lovelace',
  email: 'ada@tea.example',
  password: 'a kettle and two cups',
} as const;

/** A server with the demo shop, its owner, and a browser where the owner is signed in. */
export type OpenDashboard = {
  readonly server: TestServer;
  readonly browser: Browser;
  readonly page: Page;
  readonly close: () => Promise<void>;
};

export type OpenDashboardOptions = {
  /** The demo's number of visitors; 0 for no demo. */
  readonly visitors?: number;
  readonly env?: Readonly<Record<string, string>>;
};

/** The domain of the demo shop. */
export const DEMO = 'demo.example';

/** Opens a dashboard on a separate server, in the browser of this process's files. */
export async function openDashboard(options: OpenDashboardOptions = {}): Promise<OpenDashboard> {
  const server = await startOwned(options);
  const browser = await shareBrowser();
  const page = await openSignedIn(browser, server);
  return {
    ...{ server, browser, page },
    async close() {
      await closePages(browser);
      await server.stop();
      server.cleanUp();
    },
  };
}

/** A server with the demo shop and its owner. */
export async function startOwned(options: OpenDashboardOptions): Promise<TestServer> {
  const { visitors = 800, env = {} } = options;
  const server = await startServer({ env });
  if (visitors > 0) await runCli(['demo', '--visitors', String(visitors)], server.dataDir);
  await becomeOwner(server);
  return server;
}

/** Makes a server's owner. */
export function becomeOwner({ dataDir }: Pick<TestServer, 'dataDir'>): Promise<void> {
  return addOwner(dataDir, OWNER);
}

/** A page in a new context in which the owner is signed in. */
export async function openSignedIn(
  browser: Browser,
  { url, dataDir }: Pick<TestServer, 'url' | 'dataDir'>,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Page> {
  const context = await openContext(browser, url, options);
  await signInAt(context, { url, dataDir });
  return context.newPage();
}

/** A browser without cookies, of the language and width that tests expect. Motion would take a tenth of their time. */
export function openContext(
  browser: Browser,
  baseURL: string,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<BrowserContext> {
  const viewport = { width: 1440, height: 900 };
  const still = { locale: 'en-GB', viewport, reducedMotion: 'reduce' } as const;
  return browser.newContext({ baseURL, ...still, ...options });
}

/** Signs the owner in. */
export async function signInAt(
  context: BrowserContext,
  { url, dataDir }: Pick<TestServer, 'url' | 'dataDir'>,
): Promise<void> {
  await context.addCookies([{ ...(await signIn(dataDir, OWNER.email)), url }]);
}

/** Forgets what the dashboard keeps in a browser, as if it had never been there. */
export async function forgetKept(page: Page, origin: string): Promise<void> {
  await page.goto('about:blank');
  const session = await page.context().newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage' });
  await session.detach();
}

/** A page signed in as someone whom the owner invited to view a site. */
export async function openViewer(
  owner: Page,
  context: BrowserContext,
  site: string,
): Promise<Page> {
  const { origin } = new URL(owner.url());
  const post = async (of: Page['request'], path: string, data: object) => {
    const answer = await of.post(`${origin}${path}`, { data, headers: { origin } });
    assert.equal(answer.status(), 200, await answer.text());
    return (await answer.json()) as { readonly url: string };
  };
  const invited = { email: `viewer@${site}`, role: 'viewer' };
  const { url } = await post(owner.request, `/api/v1/sites/${site}/members`, invited);
  const login = { name: 'Vera', password: 'only looking, thanks' };
  const token = new URL(url).hash.slice(1);
  await post(context.request, '/api/invitations/accept', { ...login, token });
  return context.newPage();
}

const kept = new Set<BrowserContext>();

/**
 * The owner's browser on a server that the files of this process share.
 *
 * Why shared: a new one compiles the dashboard anew, for half a second of processor time.
 */
export function keepContext(browser: Browser, url: string): Promise<BrowserContext> {
  return keepOpen(`browser of the owner at ${url}`, async () => {
    const context = await openContext(browser, url);
    kept.add(context);
    return context;
  });
}

/** Closes all pages, including those left open by a failed test, and all browsers but those that are kept. */
export async function closePages(browser: Browser | undefined): Promise<void> {
  for (const context of browser?.contexts() ?? []) {
    if (!kept.has(context)) await context.close();
    else for (const page of context.pages()) await page.close();
  }
}
