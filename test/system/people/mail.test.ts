import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type BrowserCalls,
  beginAsOwner,
  OWNER,
  openBrowserCalls,
} from '../../server/browser-calls.ts';
import { type MailServer, openMailServer } from '../../server/mail-server.ts';
import { startServer, type TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

const BASE_URL = 'http://figures.example';

describe('mails', () => {
  let post: MailServer;
  let server: TestServer;
  let anna: BrowserCalls;
  const stranger = () => openBrowserCalls(server.url);
  const mailsSent = (count: number) =>
    waitUntil(
      async () => [...post.mails],
      (mails) => mails.length >= count,
    );

  before(async () => {
    post = await openMailServer();
    const env = { SMTP_URL: post.url, MAIL_FROM: 'tributary@figures.example', BASE_URL };
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

  it('that cannot be sent leave the link to be copied', async () => {
    post.close();
    const invited = { email: 'cleo@example.com', role: 'viewer' };
    const { status, body } = await anna.call('POST', '/api/v1/sites/one.example/members', invited);
    assert.deepEqual([status, body.is_sent], [200, false]);
    assert.match(body.url, /^http:\/\/figures\.example\/invite#/);
  });
});
