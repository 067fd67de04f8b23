import assert from 'node:assert/strict';
import type { Browser, BrowserContext, Page } from 'playwright-core';
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
  const context = await browser.newContext({
    ...{ baseURL: url, locale: 'en-GB', viewport: { width: 1440, height: 900 } },
    ...options,
  });
  await context.addCookies([{ ...(await signIn(dataDir, OWNER.email)), url }]);
  return context.newPage();
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

/** Closes all pages, including those left open by a failed test. */
export async function closePages(browser: Browser | undefined): Promise<void> {
  for (const context of browser?.contexts() ?? []) await context.close();
}
