import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { beginAsOwner, openBrowserCalls } from '../../server/browser-calls.ts';
import { type IdentityProvider, openIdentityProvider } from '../../server/identity-provider.ts';
import { startServer, type TestServer } from '../../server/start-server.ts';

describe('an identity provider that calls itself otherwise than it was set', () => {
  let provider: IdentityProvider;
  let server: TestServer;
  before(async () => {
    provider = await openIdentityProvider();
    provider.fault = 'discovery';
    const { issuer, clientId, clientSecret } = provider;
    const env = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret };
    server = await startServer({ env: { ...env, BASE_URL: 'http://127.0.0.1:8787' } });
  });
  after(async () => {
    await server.stop();
    server.cleanUp();
    provider.close();
  });

  it('is refused, and the log names both', async () => {
    const owner = await beginAsOwner(server);
    const begun = await owner.call('POST', '/api/sign-in/oidc', {});
    assert.equal(begun.status, 503);
    assert.match(begun.body.error.message, /a different issuer than this server expects/);
    assert.deepEqual(begun.setCookies, []);
    assert.match(server.said(), /calls itself https:\/\/other\.example/);
    assert.ok(server.said().includes(`OIDC_ISSUER=${provider.issuer}`));
    const answer = await fetch(`${server.url}/api/auth/callback/oidc?code=c&state=s`, {
      redirect: 'manual',
    });
    assert.equal(answer.headers.get('location'), '/sign-in?error=foreign_issuer');
  });
});

describe('an identity provider that sends the server to a private address', () => {
  let provider: IdentityProvider;
  let server: TestServer;
  let inner: Server;
  let connections = 0;
  before(async () => {
    provider = await openIdentityProvider();
    inner = createServer((socket) => {
      connections += 1;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(inner, 'listening');
    provider.inner = `https://127.0.0.1:${(inner.address() as AddressInfo).port}`;
    const { issuer, clientId, clientSecret } = provider;
    const env = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret };
    server = await startServer({ env: { ...env, BASE_URL: 'http://127.0.0.1:8787' } });
    await beginAsOwner(server);
  });
  after(async () => {
    await server.stop();
    server.cleanUp();
    provider.close();
    inner.close();
  });

  it('is not followed there, and the log says why', async () => {
    const browser = openBrowserCalls(server.url);
    const begun = await browser.call('POST', '/api/sign-in/oidc', {});
    const back = await fetch(begun.body.url, { redirect: 'manual' });
    const { search } = new URL(back.headers.get('location') ?? '');
    const answer = await fetch(`${server.url}/api/auth/callback/oidc${search}`, {
      redirect: 'manual',
      headers: { cookie: browser.cookie() },
    });
    assert.match(answer.headers.get('location') ?? '', /^\/sign-in\?error=invalid_code/);
    assert.equal(connections, 0);
    assert.ok(server.said().includes(`${provider.inner} must be on the public internet`));
  });
});
