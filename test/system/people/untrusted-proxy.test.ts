import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
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

  it('is named in the log and in Health at the first sign-in that shows it', async () => {
    await addCaller(server.url, server.dataDir, SITE);
    const findProxy = async () => {
      const { body } = await anna.call('GET', `/api/v1/sites/${SITE}/health`);
      return body.checks.find((check: { name: string }) => check.name === 'proxy');
    };
    await signIn(OWNER.email, WRONG, '203.0.113.66');
    assert.equal((await findProxy()).ok, true, 'a stranger shows nothing');
    assert.equal(await signIn(OWNER.email, OWNER.password, '198.51.100.7'), 200);
    const { ok, message } = await findProxy();
    assert.equal(ok, false);
    assert.match(message, /set TRUSTED_PROXIES=127\.0\.0\.1 and restart/);
    assert.match(server.said(), /A proxy is not in TRUSTED_PROXIES/);
  });

  it('guessing at a login slows down neither its owner elsewhere nor anybody else', async () => {
    const guess = () => signIn(OWNER.email, WRONG, '203.0.113.66');
    const guesses = await Promise.all(Array.from({ length: 7 }, guess));
    assert.ok(guesses.includes(429), guesses.join());
    const made = Array.from({ length: 22 }, (_, at) => `made-up-${at}@example.com`);
    await Promise.all(made.map((email) => signIn(email, WRONG)));
    assert.equal(await signIn(OWNER.email, OWNER.password, '198.51.100.7'), 200);
    assert.equal(await signIn('somebody@example.com', WRONG), 401);
  });

  it('a guesser with made-up addresses is slowed down, and keeps nobody out', async () => {
    let guessed = 0;
    const guess = () => {
      guessed += 1;
      const address = guessed % 2 === 0 ? undefined : `198.18.${guessed % 256}.7`;
      return signIn(OWNER.email, `wrong ${guessed}`, address);
    };
    const guesses = await Promise.all(Array.from({ length: 40 }, guess));
    const passed = guesses.filter((status) => status === 401).length;
    assert.equal(passed + guesses.filter((status) => status === 429).length, 40);
    assert.ok(passed <= 20, `${passed} of 40 guesses were looked at`);
    const stop = new AbortController();
    const guessing = (async () => {
      while (!stop.signal.aborted) await Promise.all([guess(), sleep(250)]);
    })();
    const tries: number[] = [];
    while (tries.length < 5 && !tries.includes(200)) {
      tries.push(await signIn(OWNER.email, OWNER.password));
      await sleep(1_000);
    }
    stop.abort();
    await guessing;
    assert.equal(tries.at(-1), 200, tries.join());
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
