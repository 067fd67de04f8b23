import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { addSite, createKey } from '../../server/add-site.ts';
import { type BrowserCalls, openBrowserCalls } from '../../server/browser-calls.ts';
import { runCli, startServer, type TestServer } from '../../server/start-server.ts';

const OWNER = { name: 'Anna', email: 'Anna@Example.com', password: 'correct horse battery' };
const SIGN_IN = '/api/auth/sign-in/email';

describe('the first person', () => {
  let server: TestServer;
  let anna: BrowserCalls;
  let key: string;
  const tokenOf = (url = '') => url.split('#')[1] ?? '';
  const stranger = () => openBrowserCalls(server.url);

  before(async () => {
    server = await startServer();
    await addSite(server.dataDir, 'one.example');
    await addSite(server.dataDir, 'two.example');
    key = await createKey(server.dataDir, 'one.example');
    anna = stranger();
  });
  after(async () => {
    await server.stop();
    server.cleanUp();
  });

  it('gets a link that a start prints, with the token where no log sees it', () => {
    assert.match(server.startUrl ?? '', /^http:\/\/127\.0\.0\.1:\d+\/start#[\w-]{43}$/);
  });

  it('is refused with a wrong token, a bad address, and a password that is short or endless', async () => {
    const token = tokenOf(server.startUrl);
    for (const [asked, works] of [
      [{ of: 'start', token }, true],
      [{ of: 'start', token: 'x' }, false],
      [{ of: 'reset', token }, false],
    ] as const) {
      assert.deepEqual((await anna.call('POST', '/api/links', asked)).body, { works });
    }
    for (const [wrong, path] of [
      [{ token: 'x' }, '/token'],
      [{ email: 'anna' }, '/email'],
      [{ name: '' }, '/name'],
      [{ password: 'short' }, '/password'],
      [{ password: 'x'.repeat(10_000) }, '/password'],
    ] as const) {
      const { status, body } = await anna.call('POST', '/api/start', { token, ...OWNER, ...wrong });
      assert.deepEqual([status, body.error.details[0].path], [400, path]);
    }
  });

  it('is not begun by a page of another site', async () => {
    const body = { token: tokenOf(server.startUrl), ...OWNER };
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'http://localhost' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      assert.equal((await anna.call('POST', '/api/start', body, headers)).status, 403);
    }
    const form = { 'content-type': 'text/plain' };
    assert.equal((await anna.call('POST', '/api/start', body, form)).status, 415);
  });

  it('becomes the owner, signed in, and the link is over for everybody', async () => {
    const another = await runCli<{ url: string }>(['admin', 'link'], server.dataDir);
    const begun = await anna.call('POST', '/api/start', {
      ...{ token: tokenOf(server.startUrl), ...OWNER },
    });
    assert.deepEqual([begun.status, begun.body], [200, { status: 'success' }]);
    assert.match(
      begun.setCookies.find((each) => each.includes('session')) ?? '',
      /^tributary\.session_token=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/i,
    );
    for (const url of [server.startUrl, another.url]) {
      const again = await stranger().call('POST', '/api/start', { token: tokenOf(url), ...OWNER });
      assert.equal(again.status, 404);
    }
    const asked = { of: 'start', token: tokenOf(server.startUrl) };
    assert.deepEqual((await stranger().call('POST', '/api/links', asked)).body, { works: false });
    await assert.rejects(runCli(['admin', 'link'], server.dataDir), /An owner already exists/);
  });

  it('sees every site, and the file of people is for its owner alone', async () => {
    const { status, body } = await anna.call('GET', '/api/v1/me');
    assert.equal(status, 200);
    assert.deepEqual(
      { ...body.user, id: body.user.id.slice(0, 5) },
      { id: 'user_', name: 'Anna', email: 'anna@example.com', is_owner: true, two_factor: false },
    );
    assert.deepEqual(
      body.sites.map(({ domain, role }: Record<string, string>) => [domain, role]),
      [
        ['one.example', 'owner'],
        ['two.example', 'owner'],
      ],
    );
    for (const name of ['accounts.sqlite', 'accounts.sqlite-wal']) {
      assert.equal(statSync(join(server.dataDir, name)).mode & 0o777, 0o600);
    }
  });

  it('reads a site with the session in place of a key, when the request names it', async () => {
    const query = { site_id: 'one.example', date_range: '7d', metrics: ['visitors'] };
    const at = { 'x-site-id': 'one.example' };
    const post = (headers: Record<string, string>, browser = anna) =>
      browser.call('POST', '/api/v1/query', query, headers);
    assert.equal((await post(at)).status, 200);
    assert.equal((await post({})).status, 401);
    assert.equal((await post({ 'x-site-id': 'none.example' })).status, 403);
    assert.equal((await post({ ...at, 'sec-fetch-site': 'cross-site' })).status, 401);
    assert.equal((await post({ ...at, origin: 'https://evil.example' })).status, 401);
    assert.equal((await post(at, stranger())).status, 401);
    const forged = stranger();
    forged.setCookie(anna.cookie().replace(/session_token=./, 'session_token=%00'));
    assert.equal((await post(at, forged)).status, 401);
    const other = { ...query, site_id: 'two.example' };
    assert.equal((await anna.call('POST', '/api/v1/query', other, at)).status, 403);
    const wrongKey = { ...at, authorization: `Bearer ${key}x` };
    assert.equal((await post(wrongKey)).status, 401, 'a key that is sent must be valid');
    const payment = { amount: 5, currency: 'USD', transaction_id: 'by-anna' };
    assert.equal((await anna.call('POST', '/api/v1/payments', payment, at)).status, 200);
  });

  it('signs out, and in again; a cookie from before opens nothing', async () => {
    const old = anna.cookie();
    assert.equal((await anna.call('POST', '/api/auth/sign-out', {})).status, 200);
    const thief = stranger();
    thief.setCookie(old);
    assert.equal((await thief.call('GET', '/api/v1/me')).status, 401);
    assert.equal((await anna.call('GET', '/api/v1/me')).status, 401);
    const { status } = await anna.call('POST', SIGN_IN, OWNER);
    assert.equal(status, 200);
    assert.notEqual(anna.cookie(), old);
    assert.equal((await anna.call('GET', '/api/v1/me')).status, 200);
  });

  it('is told the same whether an address or a password is wrong', async () => {
    const wrong = { email: OWNER.email, password: 'not the password' };
    const nobody = { email: 'nobody@example.com', password: OWNER.password };
    const [first, second] = [
      await stranger().call('POST', SIGN_IN, wrong),
      await stranger().call('POST', SIGN_IN, nobody),
    ];
    assert.deepEqual([first.status, second.status], [401, 401]);
    assert.deepEqual(first.body.error.message, second.body.error.message);
  });

  it('finds nothing else of the library open', async () => {
    for (const path of ['sign-up/email', 'delete-user', 'update-user', 'request-password-reset']) {
      assert.equal((await anna.call('POST', `/api/auth/${path}`, {})).status, 404);
    }
    const large = await anna.call('POST', SIGN_IN, { email: 'x'.repeat(20_000) });
    assert.equal(large.status, 413);
  });

  it('changes the name, and nothing else of the login', async () => {
    const change = (body: object) => anna.call('PATCH', '/api/v1/me', body);
    const user = async () => (await anna.call('GET', '/api/v1/me')).body.user;
    const before = await user();
    for (const wrong of [
      { name: '' },
      { name: ' ' },
      { name: 'a\u0000b' },
      { name: 'x'.repeat(101) },
    ]) {
      const refused = await change(wrong);
      assert.deepEqual([refused.status, refused.body.error.details[0].path], [400, '/name']);
    }
    assert.equal((await change({ name: 'B', email: 'b@example.com' })).status, 400);
    assert.deepEqual((await change({ name: ' Anna B. ' })).body, {
      ...{ name: 'Anna B.', email: before.email },
    });
    assert.deepEqual(await user(), { ...before, name: 'Anna B.' });
    assert.equal((await change({ name: before.name })).status, 200);
    const eve = await stranger().call('PATCH', '/api/v1/me', { name: 'Eve' });
    assert.equal(eve.status, 401);
  });

  it('changes no address where no mail can prove it; the command does, on the word of who runs the server', async () => {
    const { email, password } = OWNER;
    for (const body of [
      { email: 'no address', password },
      { email: 'b@example.com', password },
    ]) {
      const refused = await anna.call('PATCH', '/api/v1/me', body);
      assert.deepEqual([refused.status, refused.body.error.details[0].path], [400, '/email']);
    }
    const change = (...args: string[]) => runCli(['member', 'email', ...args], server.dataDir);
    const [old] = [(await anna.call('GET', '/api/v1/me')).body.user.email];
    await assert.rejects(change('nobody@example.com', 'b@example.com'), /Nobody has the address/);
    await assert.rejects(change(old, 'no address'), /must be an e-mail address/);
    assert.deepEqual(await change(old, ' B@Example.com '), { email: 'b@example.com' });
    assert.equal((await stranger().call('POST', SIGN_IN, OWNER)).status, 401);
    const signedIn = await stranger().call('POST', SIGN_IN, { ...OWNER, email: 'b@example.com' });
    assert.equal(signedIn.status, 200);
    const { entries } = (await anna.call('GET', '/api/v1/audit')).body;
    const noted = entries.map(({ what, about }: Record<string, string>) => `${what}: ${about}`);
    assert.ok(noted.includes(`e-mail address changed: ${old} → b@example.com`), noted.join());
    await change('b@example.com', email);
    const eve = await stranger().call('PATCH', '/api/v1/me', { email, password });
    assert.equal(eve.status, 401);
  });

  it('changes the password, which ends other sessions; a link sets it too, and ends all', async () => {
    const elsewhere = stranger();
    assert.equal((await elsewhere.call('POST', SIGN_IN, OWNER)).status, 200);
    assert.equal((await anna.call('POST', SIGN_IN, OWNER)).status, 200);
    assert.equal((await elsewhere.call('GET', '/api/v1/me')).status, 200, 'a sign-in ends nothing');
    const changed = { currentPassword: OWNER.password, newPassword: 'another password' };
    const change = '/api/auth/change-password';
    const guessable = await anna.call('POST', change, { ...changed, newPassword: '1234567890' });
    assert.equal(guessable.status, 400);
    assert.deepEqual(guessable.body.error.details, [
      { path: '/newPassword', message: 'is too easy to guess. Use several unrelated words' },
    ]);
    assert.equal((await anna.call('POST', change, changed)).status, 200);
    assert.equal((await elsewhere.call('GET', '/api/v1/me')).status, 401);
    assert.equal((await anna.call('GET', '/api/v1/me')).status, 200);

    const email = ['admin', 'link', '--email', OWNER.email];
    const { url } = await runCli<{ url: string }>(email, server.dataDir);
    assert.match(url, /\/reset#[\w-]{43}$/);
    const reset = { token: tokenOf(url), password: 'a third password' };
    assert.equal((await stranger().call('POST', '/api/reset', reset)).status, 200);
    assert.equal((await stranger().call('POST', '/api/reset', reset)).status, 400);
    assert.equal((await anna.call('GET', '/api/v1/me')).status, 401);
    const again = await anna.call('POST', SIGN_IN, { ...OWNER, password: reset.password });
    assert.equal(again.status, 200);
    const unknown = ['admin', 'link', '--email', 'nobody@example.com'];
    await assert.rejects(runCli(unknown, server.dataDir), /Nobody has the address/);
  });

  it('is slowed down when somebody guesses', async () => {
    const guess = (at: number) => ({ email: 'guessed@example.com', password: `guess ${at}` });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => stranger().call('POST', SIGN_IN, guess(at))),
    );
    const statuses = answers.map((answer) => answer.status).toSorted();
    assert.deepEqual([statuses[4], statuses.at(-1)], [401, 429], statuses.join());
    // At the password of an open session too, and an address that stays as it is forgives nothing.
    const wrong = { currentPassword: 'not the password', newPassword: 'a fourth password' };
    const guesses = (count: number) =>
      Promise.all(
        Array.from({ length: count }, () => anna.call('POST', '/api/auth/change-password', wrong)),
      );
    const first = await guesses(3);
    await anna.call('PATCH', '/api/v1/me', { email: OWNER.email });
    const further = await guesses(5);
    const given = [...first, ...further].map((answer) => answer.status).toSorted();
    assert.deepEqual([given[3], given.at(-1)], [400, 429], given.join());
  });
});
