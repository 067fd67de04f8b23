import type { Browser, Page } from 'playwright-core';
import { runCli, startServer, type TestServer } from '../../server/start-server.ts';
import { openBrowser } from '../e2e/open-browser.ts';

/** The owner of every dashboard that a test opens. */
export const OWNER = {
  name: 'Ada Lovelace',
  email: 'ada@tea.example',
  password: 'a kettle and two cups',
} as const;

/** A server with the demo shop, its owner, and a browser in which the owner is signed in. */
export type OpenDashboard = {
  readonly server: TestServer;
  readonly browser: Browser;
  readonly page: Page;
  readonly close: () => Promise<void>;
};

export type OpenDashboardOptions = {
  /** How many visitors the demo has; 0 for no demo at all. */
  readonly visitors?: number;
  readonly env?: Readonly<Record<string, string>>;
};

/** The domain of the demo shop. */
export const DEMO = 'demo.example';

/** Opens a dashboard as its owner does after the first start: by the link that the server prints. */
export async function openDashboard(options: OpenDashboardOptions = {}): Promise<OpenDashboard> {
  const { visitors = 800, env = {} } = options;
  const server = await startServer({ env });
  if (visitors > 0) await runCli(['demo', '--visitors', String(visitors)], server.dataDir);
  await becomeOwner(server);
  const browser = await openBrowser();
  const page = await openSignedIn(browser, server);
  return {
    server,
    browser,
    page,
    async close() {
      await browser.close();
      await server.stop();
      server.cleanUp();
    },
  };
}

/** Takes the first link, without a browser. */
export async function becomeOwner({
  url,
  dataDir,
}: Pick<TestServer, 'url' | 'dataDir'>): Promise<void> {
  const { url: link } = await runCli<{ url: string }>(['admin', 'link'], dataDir);
  const token = new URL(link).hash.slice(1);
  const answer = await post(url, '/api/start', { ...OWNER, token });
  if (!answer.ok) throw new Error(`no owner: ${await answer.text()}`);
}

/** A page of a context of its own in which the owner is signed in. */
export async function openSignedIn(
  browser: Browser,
  { url }: Pick<TestServer, 'url'>,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Page> {
  const context = await browser.newContext({
    ...{ baseURL: url, locale: 'en-GB', viewport: { width: 1440, height: 900 } },
    ...options,
  });
  const { email, password } = OWNER;
  const answer = await context.request.post('/api/auth/sign-in/email', {
    data: { email, password },
    headers: { origin: url },
  });
  if (!answer.ok()) throw new Error(`not signed in: ${await answer.text()}`);
  return context.newPage();
}

function post(url: string, path: string, body: object): Promise<Response> {
  return fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify(body),
  });
}
