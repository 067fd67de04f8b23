import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { beginAsOwner } from '../../server/browser-calls.ts';
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
    assert.match(begun.body.error.message, /another issuer than this server expects/);
    assert.deepEqual(begun.setCookies, []);
    assert.match(server.said(), /calls itself https:\/\/other\.example/);
    assert.ok(server.said().includes(`OIDC_ISSUER=${provider.issuer}`));
    const answer = await fetch(`${server.url}/api/auth/callback/oidc?code=c&state=s`, {
      redirect: 'manual',
    });
    assert.equal(answer.headers.get('location'), '/sign-in?error=foreign_issuer');
  });
});
