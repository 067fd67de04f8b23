import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import {
  type BrowserCalls,
  OWNER,
  openBrowserCalls,
  signInAsOwner,
} from '../../server/browser-calls.ts';
import { addCaller } from '../../server/caller.ts';
import { shareServer } from '../../server/share-server.ts';
import { startServer, type TestServer } from '../../server/start-server.ts';

const SIGN_IN = '/api/auth/sign-in/email';
const SITE = 'proxied.example';
const WRONG = 'not the password';

describe('behind a proxy that is not trusted', () => {
  let server: TestServer;
  let anna: BrowserCalls;

  before(async () => {
    server = await shareServer({ RATE_LIMIT_READS: '0' });
    anna = await signInAsOwner(server);
  });

  /** Tries to sign in, from a new browser at the address that the proxy adds, if it adds one. */
  async function signIn(email: string, password: string, address?: string): Promise<number> {
    const headers = address === undefined ? {} : { 'x-forwarded-for': address };
    const browser = openBrowserCalls(server.url);
    return (await browser.call('POST', SIGN_IN, { email, password }, headers)).status;
  }

  it('whoever guesses at a login slows down neither its owner elsewhere nor anybody else', async () => {
    const guess = () => signIn(OWNER.email, WRONG, '203.0.113.66');
    const guesses = await Promise.all(Array.from({ length: 7 }, guess));
    assert.ok(guesses.includes(429), guesses.join());
    const made = Array.from({ length: 22 }, (_, at) => `made-up-${at}@example.com`);
    await Promise.all(made.map((email) => signIn(email, WRONG)));
    assert.equal(await signIn(OWNER.email, OWNER.password, '198.51.100.7'), 200);
    assert.equal(await signIn('somebody@example.com', WRONG), 401);
  });

  it('Health names its address once fifty visitors came through it, and says what to set', async () => {
    const { url } = server;
    await addCaller(url, server.dataDir, SITE);
    const proxy = async () => {
      const { body } = await anna.call('GET', `/api/v1/sites/${SITE}/health`);
      return body.checks.find((check: { name: string }) => check.name === 'proxy');
    };
    assert.equal((await proxy()).ok, true);
    for (let visitor = 0; visitor < 50; visitor += 1) {
      const sent = await fetch(`${url}/api/v1/events`, {
        method: 'POST',
        headers: {
          ...{ 'content-type': 'application/json', 'x-forwarded-for': `203.0.113.${visitor}` },
          'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
        },
        body: JSON.stringify({
          ...{ site: SITE, type: 'pageview', url: `https://${SITE}/` },
          service_visitor_id: `visitor-${visitor}`,
        }),
      });
      assert.equal(sent.status, 200);
    }
    const { ok, message } = await proxy();
    assert.equal(ok, false);
    assert.match(message, /set TRUSTED_PROXIES=127\.0\.0\.1 and restart/);
    assert.match(server.said(), /A proxy is not in TRUSTED_PROXIES/);
  });
});

describe('an https BASE_URL without a proxy that is trusted', () => {
  it('is warned of at start, with what to set', async () => {
    const BASE_URL = 'https://stats.example';
    const said = await Promise.all(
      [{ BASE_URL }, { BASE_URL, TRUSTED_PROXIES: '127.0.0.1' }, {}].map(async (env) => {
        const server = await startServer({ env });
        await server.stop();
        server.cleanUp();
        return server.said();
      }),
    );
    const warning = /BASE_URL is https, so there is a proxy, but TRUSTED_PROXIES names none/;
    assert.deepEqual(
      said.map((text) => warning.test(text)),
      [true, false, false],
    );
    assert.match(said[0] ?? '', /Set it to the proxy’s address/);
  });
});
