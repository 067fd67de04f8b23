import assert from 'node:assert/strict';
import { copyFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { dataPathsOf } from '#processes/paths.ts';
import { type BrowserCalls, signInAsOwner } from '../../server/browser-calls.ts';
import { addCaller, type Caller } from '../../server/caller.ts';
import {
  findWeb,
  makeDataDir,
  runCli,
  startServer,
  type TestServer,
} from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

const LOGIN = { email: 'anna@example.com', password: 'correct horse battery' };

describe('a server whose file of logins', () => {
  const dataDir = makeDataDir();
  const { accounts: path } = dataPathsOf(dataDir);
  let server: TestServer;
  let caller: Caller;
  let anna: BrowserCalls;

  before(async () => {
    server = await startServer({ dataDir });
    assert.ok(server.startUrl);
    caller = await addCaller(server.url, dataDir, 'example.com');
    anna = await signInAsOwner(server);
  });
  after(async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true });
  });

  async function startWithout(lose: () => void): Promise<void> {
    await server.stop();
    lose();
    server = await startServer({ dataDir });
    caller = caller.at(server.url);
  }

  const ask = async (path: string) =>
    (await fetch(`${server.url}${path}`, { headers: { cookie: anna.cookie() } })).status;

  async function assertCountsOn(): Promise<void> {
    const web = findWeb(server);
    assert.equal((await caller.pageview('v')).status, 200);
    assert.equal((await caller.goal('v', 'signup')).status, 200);
    assert.equal((await caller.query({ metrics: ['visitors'] })).status, 200);
    assert.equal(await ask('/api/v1/me'), 503);
    const signIn = await fetch(`${server.url}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(LOGIN),
    });
    assert.equal(signIn.status, 503);
    assert.equal(findWeb(server), web, 'it is not restarted');
    assert.equal(server.startUrl, undefined);
    assert.ok(server.said().includes(path), server.said());
    assert.match(server.said(), /Nobody can sign in; everything else runs on\. Restore the file/);
  }

  it('is damaged counts on, says what to do, and lets people in when the file is back', async () => {
    await startWithout(() => {
      copyFileSync(path, `${path}.copy`);
      writeFileSync(path, 'no database'.repeat(1_000));
    });
    await assertCountsOn();
    const made = await runCli<{ key: string }>(['key', 'create', '--site', caller.site], dataDir);
    assert.match(made.key, /^trib_/);
    copyFileSync(`${path}.copy`, path);
    await waitUntil(
      () => ask('/api/v1/me'),
      (status) => status === 200,
    );
  });

  it('is missing offers itself to nobody, until its operator asks for new logins', async () => {
    await startWithout(() => rmSync(path));
    await assertCountsOn();
    await runCli(['site', 'add', 'other.example'], dataDir);
    assert.equal(existsSync(path), false);
    const { url } = await runCli<{ url: string }>(['admin', 'link'], dataDir);
    assert.ok(url.startsWith(`${server.url}/start#`), url);
    await waitUntil(
      () => ask('/api/sign-in-options'),
      (status) => status === 200,
    );
  });
});
