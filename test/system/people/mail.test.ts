import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import {
  type BrowserCalls,
  beginAsOwner,
  OWNER,
  openBrowserCalls,
} from '../../server/browser-calls.ts';
import { type MailServer, openMailServer } from '../../server/mail-server.ts';
import { runCli, startServer, type TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

const BASE_URL = 'http://figures.example';

describe('mails', () => {
  let env: Readonly<Record<string, string>>;
  let post: MailServer;
  let server: TestServer;
  let anna: BrowserCalls;
  const stranger = () => openBrowserCalls(server.url);
  const mailsSent = (count: number) =>
    waitUntil(
      async () => [...post.mails],
      (mails) => mails.length >= count,
    );

  /** Somebody who opened the link of the mail that invited them. */
  async function join(email: string): Promise<BrowserCalls> {
    const mail = post.mails.find((each) => each.includes(`To: ${email}`)) ?? '';
    const token = /invite#([\w-]{43})/.exec(mail)?.[1];
    const browser = stranger();
    const login = { token, name: 'Ben', password: 'a long passphrase' };
    assert.equal((await browser.call('POST', '/api/invitations/accept', login)).status, 200);
    return browser;
  }

  before(async () => {
    post = await openMailServer();
    env = { SMTP_URL: post.url, MAIL_FROM: 'tributary@figures.example', BASE_URL };
    server = await startServer({ env });
    anna = await beginAsOwner(server);
  });
  after(async () => {
    await server.stop();
    server.cleanUp();
    post.close();
  });

  it('bring a link that sets a new password, with the address of the server, whatever was asked', async () => {
    assert.deepEqual((await stranger().call('GET', '/api/sign-in-options')).body.mail, true);
    const request = { email: OWNER.email };
    const answer = await stranger().call('POST', '/api/reset/request', request);
    assert.deepEqual([answer.status, answer.body], [200, { status: 'success' }]);
    const [mail = ''] = await mailsSent(1);
    assert.match(mail, /^From: tributary@figures\.example\r?$/m);
    assert.match(mail, /^To: anna@example\.com\r?$/m);
    const [, token = ''] = /http:\/\/figures\.example\/reset#([\w-]{43})/.exec(mail) ?? [];
    const reset = { token, password: 'another passphrase' };
    assert.equal((await stranger().call('POST', '/api/reset', reset)).status, 200);
    assert.equal((await anna.call('GET', '/api/v1/me')).status, 401);
    const login = { ...OWNER, password: reset.password };
    assert.equal((await anna.call('POST', '/api/auth/sign-in/email', login)).status, 200);
  });

  it('are asked for by anybody, and the answer does not show who has a login', async () => {
    const request = { email: 'nobody@example.com' };
    const answer = await stranger().call('POST', '/api/reset/request', request);
    assert.deepEqual([answer.status, answer.body], [200, { status: 'success' }]);
    const evil = { origin: 'https://evil.example' };
    assert.equal((await stranger().call('POST', '/api/reset/request', request, evil)).status, 403);
    const many = await Promise.all(
      Array.from({ length: 7 }, () => stranger().call('POST', '/api/reset/request', request)),
    );
    assert.ok(many.some(({ status }) => status === 429));
  });

  it('invite to a site, one mail each', async () => {
    await anna.call('POST', '/api/v1/sites', { domain: 'one.example' });
    const invited = { email: 'ben@example.com', role: 'viewer' };
    const { body } = await anna.call('POST', '/api/v1/sites/one.example/members', invited);
    assert.equal(body.is_sent, true);
    const mails = await mailsSent(2);
    assert.equal(mails.length, 2, 'nobody got one who was not to');
    const [, mail = ''] = mails;
    assert.match(mail, /anna@example\.com invites you/);
    assert.ok(mail.includes(body.url), mail);
  });

  it('prove a new address: it is the login’s when its link is opened there, and the old one is told', async () => {
    const change = (body: object) => anna.call('PATCH', '/api/v1/me', body);
    const confirm = (token: string, by = anna) => by.call('POST', '/api/v1/me/email', { token });
    const me = async () => (await anna.call('GET', '/api/v1/me')).body;
    const password = 'another passphrase';
    const [before, next] = [OWNER.email, 'anna@tea.example'];
    for (const [body, path] of [
      [{ email: 'no address', password }, '/email'],
      [{ email: next, password: 'not the password' }, '/password'],
    ] as const) {
      const refused = await change(body);
      assert.deepEqual([refused.status, refused.body.error.details[0].path], [400, path]);
    }
    const asked = await change({ email: ' Anna@Tea.Example ', password });
    assert.deepEqual(asked.body, { name: OWNER.name, email: before, pending_email: next });
    const [first = ''] = (await mailsSent(3)).slice(2);
    assert.match(first, /^To: anna@tea\.example\r?$/m);
    await change({ email: next, password });
    const [second = ''] = (await mailsSent(4)).slice(3);
    const tokenOf = (mail: string) => /example\/email#([\w-]{43})/.exec(mail)?.[1] ?? '';
    assert.deepEqual(
      [(await me()).user.email, (await me()).pending_email],
      [before, next],
      'nothing has changed yet',
    );
    const ben = await join('ben@example.com');
    assert.equal((await confirm(tokenOf(first))).status, 400, 'a later link ends an earlier one');
    assert.equal((await confirm(tokenOf(second), stranger())).status, 401);
    assert.equal((await confirm(tokenOf(second), ben)).status, 400, 'it proves nothing for others');
    await stranger().call('POST', '/api/reset/request', { email: before });
    const [reset = ''] = (await mailsSent(5)).slice(4);
    assert.equal((await confirm(tokenOf(second))).status, 200);
    assert.deepEqual([(await me()).user.email, (await me()).pending_email], [next, null]);
    assert.equal((await confirm(tokenOf(second))).status, 400, 'it works once');
    const [told = ''] = (await mailsSent(6)).slice(5);
    assert.match(told, /^To: anna@example\.com\r?$/m);
    assert.match(told, /has changed from .* to anna@tea\.example/);
    const late = { token: /reset#([\w-]{43})/.exec(reset)?.[1], password: 'a third passphrase' };
    assert.equal((await stranger().call('POST', '/api/reset', late)).status, 400);
    const [noted] = (await anna.call('GET', '/api/v1/audit?limit=1')).body.entries;
    assert.equal(`${noted.what}: ${noted.about}`, `e-mail address changed: ${before} → ${next}`);
    const taken = await change({ email: 'ben@example.com', password });
    assert.deepEqual(taken.body.error.details, [
      { path: '/email', message: 'has a login already' },
    ]);
  });

  it('are not sent to an address without end: the link is left to be copied', async () => {
    const email = 'dora@example.com';
    const members = '/api/v1/sites/one.example/members';
    const invite = async () => (await anna.call('POST', members, { email, role: 'viewer' })).body;
    const before = post.mails.length;
    let sent = 0;
    while ((await invite()).is_sent) sent += 1; // Each waits longer than the last: the machine's speed is no matter.
    assert.equal(post.mails.length, before + sent);
    assert.match((await invite()).url, /invite#[\w-]{43}$/);
    const change = { email, password: 'another passphrase' };
    const ask = () => anna.call('PATCH', '/api/v1/me', change);
    let answer = await ask();
    while (answer.status === 200) answer = await ask();
    assert.match(answer.body.error.message, /^Too many mails\. Try again in/);
  });

  it('are tested by a command, which also tests the webhook', async () => {
    const test = (...more: string[]) => {
      const command = ['alert', 'test', '--site', 'one.example', ...more];
      return runCli(command, server.dataDir, undefined, env);
    };
    const email = 'ben@example.com';
    const before = post.mails.length;
    assert.deepEqual(await test('--email', email), { site: 'one.example', to: email });
    const [mail = ''] = post.mails.slice(before);
    assert.match(mail, /^To: ben@example\.com\r?$/m);
    assert.match(mail, /^Subject: Test alert of one\.example\r?$/m);
    await assert.rejects(test('--email', 'eve@example.com'), /eve@example\.com is not a member/);
    await assert.rejects(test(), /The site has no webhook: Settings/);
    let posted = '';
    const hook = createServer((request, response) => {
      request.setEncoding('utf8').on('data', (text) => (posted += text));
      request.on('end', () => response.end());
    });
    await once(hook.listen(0, '127.0.0.1'), 'listening');
    const webhook_url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/`;
    await anna.call('PUT', '/api/v1/sites/one.example/alerts', { kinds: [], webhook_url });
    assert.deepEqual(await test(), { site: 'one.example', to: 'webhook' });
    // The fields of every alert, so that a receiver which needs one of them passes its test.
    const fields = ['id', 'site', 'kind', 'title', 'message', 'at', 'test'];
    assert.deepEqual(Object.keys(JSON.parse(posted)).toSorted(), fields.toSorted());
    hook.close();
  });

  it('that cannot be sent leave the link to be copied', async () => {
    post.close();
    const invited = { email: 'cleo@example.com', role: 'viewer' };
    const { status, body } = await anna.call('POST', '/api/v1/sites/one.example/members', invited);
    assert.deepEqual([status, body.is_sent], [200, false]);
    assert.match(body.url, /^http:\/\/figures\.example\/invite#/);
  });
});
