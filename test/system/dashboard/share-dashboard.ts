import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { keepOpen } from '../../run/keep-open.ts';
import { type IdentityProvider, openIdentityProvider } from '../../server/identity-provider.ts';
import { type MailServer, openMailServer } from '../../server/mail-server.ts';
import type { TestServer } from '../../server/start-server.ts';
import { shareBrowser } from '../e2e/share-browser.ts';
import {
  closePages,
  forgetKept,
  keepContext,
  type OpenDashboard,
  signInAt,
  startOwned,
} from './open-dashboard.ts';

/** A dashboard with readable mails. */
export type SharedDashboard = OpenDashboard & { readonly post: MailServer };

/**
 * A server with the demo shop and mail, and a browser, shared by the files of this process. Each file has its own
 * page.
 *
 * A file leaves the demo unchanged for others: only those who ask for them find its additions, which are in the
 * warehouse when the file ends.
 */
export async function shareDashboard(): Promise<SharedDashboard> {
  const { server, post } = await keepOpen('server with the demo', async () => {
    const post = await openMailServer();
    const env = { SMTP_URL: post.url, MAIL_FROM: 'tributary@figures.example' };
    const server = await startOwned({ env: { ...env, ...(await chooseAddress()) } });
    return {
      ...{ server, post },
      async close() {
        await server.stop();
        server.cleanUp();
        post.close();
      },
    };
  });
  return { server, post, ...(await openKept(server)) };
}

/** A dashboard where people may also sign in at a provider. */
export type ProviderDashboard = OpenDashboard & { readonly provider: IdentityProvider };

/** The same without a site or mail, with an identity provider. */
export async function shareProviderDashboard(): Promise<ProviderDashboard> {
  const { server, provider } = await keepOpen('server with a provider', async () => {
    const provider = await openIdentityProvider();
    const env = {
      ...{ OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: provider.clientId },
      ...{ OIDC_CLIENT_SECRET: provider.clientSecret, OIDC_NAME: 'Tea Login' },
    };
    const server = await startOwned({ visitors: 0, env: { ...env, ...(await chooseAddress()) } });
    return {
      ...{ server, provider },
      async close() {
        await server.stop();
        server.cleanUp();
        provider.close();
      },
    };
  });
  return { server, provider, ...(await openKept(server)) };
}

/** A page of the owner, as in a browser that was never here. */
async function openKept(server: TestServer): Promise<Omit<OpenDashboard, 'server'>> {
  const browser = await shareBrowser();
  const context = await keepContext(browser, server.url);
  await context.clearCookies();
  await signInAt(context, server);
  const page = await context.newPage();
  await forgetKept(page, server.url);
  return { browser, page, close: () => closePages(browser) };
}

/** Settings that tell a server its own address, on a free loopback port. */
async function chooseAddress() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return { PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` };
}
