import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import type { IdentityProvider } from '../../server/identity-provider.ts';
import { runCli } from '../../server/start-server.ts';
import { findFaults } from './find-faults.ts';
import { OWNER, openContext } from './open-dashboard.ts';
import { type ProviderDashboard, shareProviderDashboard } from './share-dashboard.ts';

const MEMBERS = '/api/v1/sites/listed.example/members';

describe('signing in at an identity provider', () => {
  let provider: IdentityProvider;
  let dashboard: ProviderDashboard;
  let strangers: BrowserContext;
  before(async () => {
    dashboard = await shareProviderDashboard();
    provider = dashboard.provider;
    strangers = await openContext(dashboard.browser, dashboard.server.url);
  });
  after(() => dashboard?.close());

  /** A page of nobody who was here before. */
  async function openStranger(): Promise<Page> {
    await strangers.clearCookies();
    return strangers.newPage();
  }
  async function tryToSignIn(page: Page): Promise<void> {
    await page.goto('/account');
    await page.getByRole('button', { name: 'Continue with Tea Login' }).click();
  }
  async function assertRefused(page: Page, message: RegExp): Promise<void> {
    await page.getByRole('alert').filter({ hasText: message }).waitFor();
    assert.equal((await page.request.get('/api/v1/me')).status(), 401);
    await page.close();
  }

  it('lets in who has a login here, back to where they were', async () => {
    const page = await openStranger();
    await page.goto('/account');
    await page.getByRole('button', { name: 'Continue with Tea Login' }).waitFor();
    assert.deepEqual(await findFaults(page), []);
    await tryToSignIn(page);
    await page.waitForURL('**/account');
    await page
      .getByRole('heading', { name: /account/i })
      .first()
      .waitFor();
    const me = (await (await page.request.get('/api/v1/me')).json()) as { user: { email: string } };
    assert.equal(me.user.email, OWNER.email);
    const headers = { origin: dashboard.server.url };
    await page.request.post('/api/v1/sites', { headers, data: { domain: 'listed.example' } });
    const changes = await (await page.request.get('/api/v1/sites/listed.example/audit')).text();
    assert.match(changes, /login linked to the identity provider/);
    assert.match(changes, /signed in at the identity provider/);
    await page.close();
  });

  it('knows them by the id of the provider from then on, whatever their address there is', async () => {
    provider.subject = { sub: '1', email: 'renamed@tea.example', email_verified: true };
    const page = await openStranger();
    await tryToSignIn(page);
    await page.waitForURL('**/account');
    await page.close();
  });

  it('lets nobody in who has no login, or whose address nobody has verified', async () => {
    provider.subject = { sub: '2', email: 'nobody@tea.example', email_verified: true };
    const nobody = await openStranger();
    await tryToSignIn(nobody);
    await assertRefused(nobody, /No login here has your address/);
    provider.subject = { sub: '3', email: OWNER.email, email_verified: false };
    const unverified = await openStranger();
    await tryToSignIn(unverified);
    await assertRefused(unverified, /has not verified your address/);
  });

  it('makes a login for who is invited, and a member at once', async () => {
    const { page: owner, server } = dashboard;
    const headers = { origin: server.url };
    const invited = await owner.request.post(MEMBERS, {
      headers,
      data: { email: 'Grace@tea.example', role: 'viewer' },
    });
    const { url } = (await invited.json()) as { url: string };
    const page = await openStranger();
    const join = async (subject: IdentityProvider['subject']) => {
      provider.subject = subject;
      await page.goto('about:blank');
      await page.goto(url);
      await page.getByRole('button', { name: 'Continue with Tea Login' }).click();
    };
    await join({ sub: '7', email: 'mallory@tea.example', email_verified: true });
    await page.getByRole('alert').filter({ hasText: 'another address' }).waitFor();
    await join({ sub: '8', email: 'grace@tea.example', email_verified: false });
    await page.getByRole('alert').filter({ hasText: 'has not verified' }).waitFor();
    assert.deepEqual(await findFaults(page), []);
    assert.equal((await page.request.get('/api/v1/me')).status(), 401);
    await join({ sub: '9', email: 'grace@tea.example', email_verified: true });
    await page.waitForURL('**/listed.example');
    const me = await (await page.request.get('/api/v1/me')).json();
    assert.equal(me.user.email, 'grace@tea.example');
    assert.deepEqual(
      me.sites.map(({ domain, role }: { domain: string; role: string }) => [domain, role]),
      [['listed.example', 'viewer']],
    );
    await page.goto('about:blank');
    await page.goto(url);
    await page.getByRole('heading', { name: 'This invitation does not work' }).waitFor();
    await page.close();
  });

  it('joins no login that somebody else made with the address, until that address is proved here', async () => {
    const { page: owner, server } = dashboard;
    const headers = { origin: server.url };
    const { browser } = dashboard;
    type Sender = Pick<Page, 'request'>;
    const invite = async (by: Sender, email: string, role: string) => {
      const data = { email, role };
      const answer = await by.request.post(MEMBERS, { headers, data });
      return new URL(((await answer.json()) as { url: string }).url).hash.slice(1);
    };
    const accept = async (page: Sender, token: string) => {
      const data = { token, name: 'Mallory', password: 'a long passphrase' };
      return (await page.request.post('/api/invitations/accept', { headers, data })).status();
    };
    const mallory = await openContext(browser, server.url);
    assert.equal(await accept(mallory, await invite(owner, 'm@tea.example', 'admin')), 200);
    const copied = await invite(mallory, 'carol@tea.example', 'viewer');
    const fake = await openContext(browser, server.url);
    assert.equal(await accept(fake, copied), 200);
    provider.subject = { sub: '20', email: 'carol@tea.example', email_verified: true };
    const carol = await openStranger();
    await tryToSignIn(carol);
    await assertRefused(carol, /you have not opened the link sent to it/);
    const args = ['admin', 'link', '--email', 'carol@tea.example'];
    const { url } = await runCli<{ url: string }>(args, server.dataDir);
    const reset = { token: new URL(url).hash.slice(1), password: 'a passphrase of Carol' };
    await owner.request.post('/api/reset', { headers, data: reset });
    assert.equal((await fake.request.get('/api/v1/me')).status(), 401);
    const proved = await openStranger();
    await tryToSignIn(proved);
    await proved.waitForURL('**/account');
    await proved.close();
  });

  it('believes no token of another issuer, client, session or key, and says when it was cancelled', async () => {
    provider.subject = { sub: '1', email: OWNER.email, email_verified: true };
    for (const fault of ['issuer', 'audience', 'nonce', 'signature'] as const) {
      provider.fault = fault;
      const page = await openStranger();
      await tryToSignIn(page);
      await assertRefused(page, /Signing in failed/);
    }
    provider.fault = 'denied';
    const page = await openStranger();
    await tryToSignIn(page);
    await assertRefused(page, /cancelled/);
    provider.fault = 'none';
  });

  it('takes no answer of the provider that nobody here asked for', async () => {
    const { server } = dashboard;
    const page = await openStranger();
    await page.goto(`${server.url}/api/auth/callback/oidc?code=code-1&state=made-up`);
    await assertRefused(page, /Signing in failed/);
    const direct = await fetch(`${server.url}/api/auth/sign-in/social`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ provider: 'oidc', idToken: { token: 'x' } }),
    });
    assert.equal(direct.status, 404);
  });

  it('leads to no other site', async () => {
    const { server } = dashboard;
    const page = await openStranger();
    const foreign = [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      '/\t/evil.example',
    ];
    for (const next of [...foreign, '/.//evil.example', '/\u2028', '/a\r\nb', '/a%2Fb']) {
      const begun = await page.request.post('/api/sign-in/oidc', {
        headers: { origin: server.url },
        data: { next },
      });
      const { url } = (await begun.json()) as { url: string };
      await page.goto(url);
      assert.equal(new URL(page.url()).origin, server.url, next);
    }
    await page.close();
  });
});
