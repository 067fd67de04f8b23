import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { isUnreadable } from '#domain/unavailable.ts';
import { createLogins } from './logins.ts';
import { type AccountsDatabase, openAccountsDatabase } from './open-database.ts';
import { hashPassword } from './password.ts';
import { guardFetch } from './provider.ts';
import { createUsers } from './users.ts';

const ORIGIN = 'http://tributary.invalid';
const LOGIN = { email: 'anna@example.com', password: 'correct horse battery' };

describe('signing in', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-test-'));
  let file: AccountsDatabase;
  before(async () => {
    file = await openAccountsDatabase(join(folder, 'accounts.sqlite'));
  });
  after(async () => {
    await file.close();
    rmSync(folder, { recursive: true });
  });

  it('fails with the error of the file when the disk is full, and works when there is room', async () => {
    const { email, password } = LOGIN;
    const users = createUsers(file.db, Date.now);
    const hashOf = (each: string) => hashPassword(each, { N: 2, r: 1, p: 1 });
    await users.add({ name: 'Anna', email, hash: await hashOf(password), isOwner: true });
    const told: string[] = [];
    const handle = await createLogins(file, {
      ...{ origin: ORIGIN, isSecure: false, oidc: undefined, hashOf, listInvited: async () => [] },
      ...{ users, async onLinked() {}, onTrouble: (message) => told.push(message) },
    });
    const signIn = () =>
      handle(
        new Request(`${ORIGIN}/api/auth/sign-in/email`, {
          method: 'POST',
          headers: {
            ...{ 'content-type': 'application/json', origin: ORIGIN },
            'user-agent': 'x'.repeat(10_000), // Its session needs pages of its own.
          },
          body: JSON.stringify(LOGIN),
        }),
      );
    const { page_count: pages } = (await file.db.get('PRAGMA page_count')) ?? {};
    await file.db.exec(`PRAGMA max_page_count = ${pages}`);
    await assert.rejects(signIn(), isUnreadable);
    await file.db.exec('PRAGMA max_page_count = 1000000');
    assert.equal((await signIn()).status, 200);
    assert.deepEqual(told, [], 'the caller says what is wrong, once');
  });
});

describe('what is asked of an identity provider', () => {
  const own = globalThis.fetch;
  after(() => {
    globalThis.fetch = own;
  });

  function guard(trustedUrl: string, onFailure: (reason: string) => void = () => {}) {
    guardFetch(trustedUrl, onFailure);
    return globalThis.fetch;
  }

  async function listen(t: TestContext, answer: RequestListener): Promise<string> {
    const server = createServer(answer).listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  it('asks no private address but the host that is trusted, with its port', async (t) => {
    let asked = 0;
    const other = await listen(t, (_, response) => {
      asked += 1;
      response.end();
    });
    const trusted = await listen(t, (request, response) => {
      const isMoved = request.url === '/moved';
      const location = isMoved ? '/' : other.replace('http:', 'https:');
      if (request.url !== '/') response.writeHead(302, { location });
      response.end('{"body":"yes"}');
    });
    const failures: string[] = [];
    const guarded = guard(`${trusted}/realm`, (reason) => failures.push(reason));
    for (const path of ['/', '/moved']) {
      const answer = await guarded(new URL(path, trusted));
      assert.deepEqual(await answer.json(), { body: 'yes' });
    }
    const { status } = await guarded(`${trusted}/inner`, { redirect: 'manual' });
    assert.equal(status, 302);
    assert.deepEqual(failures, []);
    const name = other.replace('http://127.0.0.1', 'https://localhost');
    for (const url of [`${trusted}/inner`, other, name]) await assert.rejects(guarded(url), url);
    assert.match(failures[0] ?? '', /must be on the public internet/);
    assert.match(failures[1] ?? '', /must start with https/);
    assert.match(failures[2] ?? '', /localhost resolves to a private address/);
    assert.equal(asked, 0);
  });

  it('sends the method, the body and the headers, and can be stopped', async (t) => {
    const url = await listen(t, async (request, response) => {
      if (request.method === 'GET') return; // Never answered.
      let body = '';
      for await (const chunk of request) body += chunk;
      const { accept, 'content-type': type } = request.headers;
      response.writeHead(400, { 'content-type': 'text/plain' });
      response.end([request.method, accept, type, body].join(' '));
    });
    const guarded = guard(url);
    const body = new URLSearchParams({ grant_type: 'authorization_code' });
    const headers = { accept: 'application/json' };
    const answer = await guarded(url, { method: 'POST', body, headers });
    assert.equal(answer.status, 400);
    assert.equal(answer.headers.get('content-type'), 'text/plain');
    assert.equal(
      await answer.text(),
      'POST application/json application/x-www-form-urlencoded;charset=UTF-8 grant_type=authorization_code',
    );
    await assert.rejects(guarded(url, { signal: AbortSignal.timeout(50) }), { name: 'AbortError' });
  });
});
