import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { DAY_MS } from '#domain/time/durations.ts';
import { dataPathsOf } from '#processes/paths.ts';
import {
  type BrowserCalls,
  beginAsOwner,
  OWNER,
  openBrowserCalls,
} from '../../server/browser-calls.ts';
import { runCli, startServer, type TestServer } from '../../server/start-server.ts';

const AUTH = '/api/auth';
/** How long a code is current. Those before and after are valid too. */
const STEP_MS = 30_000;

describe('a second factor', () => {
  let server: TestServer;
  let anna: BrowserCalls;
  let secret: string;
  let backupCodes: string[];
  const used: string[] = [];
  const stranger = () => openBrowserCalls(server.url);
  const { password } = OWNER;
  const signIn = (browser: BrowserCalls) => browser.call('POST', `${AUTH}/sign-in/email`, OWNER);
  const status = async (browser: BrowserCalls) => (await browser.call('GET', '/api/v1/me')).status;

  /** What sets the password as it is with a link of the command. */
  async function makeResetLink() {
    const args = ['admin', 'link', '--email', OWNER.email];
    const { url } = await runCli<{ url: string }>(args, server.dataDir);
    return { token: new URL(url).hash.slice(1), password };
  }

  before(async () => {
    server = await startServer({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
    anna = await beginAsOwner(server);
  });
  after(async () => {
    await server.stop();
    server.cleanUp();
  });

  it('is turned on with the password and a code', async () => {
    const enable = `${AUTH}/two-factor/enable`;
    assert.equal((await anna.call('POST', enable, { password: 'wrong password' })).status, 400);
    const { body } = await anna.call('POST', enable, { password });
    backupCodes = body.backupCodes;
    assert.equal(backupCodes.length, 10);
    const uri = new URL(body.totpURI);
    assert.deepEqual([uri.protocol, uri.searchParams.get('issuer')], ['otpauth:', 'Tributary']);
    secret = uri.searchParams.get('secret') ?? '';
    assert.equal((await anna.call('GET', '/api/v1/me')).body.user.two_factor, false);
    const code = { code: toCode(secret, Date.now()) };
    assert.equal((await anna.call('POST', `${AUTH}/two-factor/verify-totp`, code)).status, 200);
    used.push(code.code);
    assert.equal((await anna.call('GET', '/api/v1/me')).body.user.two_factor, true);
  });

  it('is asked for after the password, which opens nothing alone', async () => {
    const browser = stranger();
    const first = await signIn(browser);
    assert.deepEqual([first.status, first.body.twoFactorRedirect], [200, true]);
    assert.equal(await status(browser), 401);
    const verify = `${AUTH}/two-factor/verify-totp`;
    assert.equal((await browser.call('POST', verify, { code: '000000' })).status, 401);
    assert.equal(await status(browser), 401);
    const code = { code: toCode(secret, Date.now() + STEP_MS) };
    assert.equal((await stranger().call('POST', verify, code)).status, 401);
    assert.equal((await browser.call('POST', verify, code)).status, 200);
    used.push(code.code);
    assert.equal(await status(browser), 200);
    const again = stranger();
    await signIn(again);
    const refused = await again.call('POST', verify, code);
    assert.equal(refused.status, 401);
    assert.match(refused.body.error.message, /has been used already/);
    assert.equal(await status(again), 401);
    assert.equal(refused.setCookies.filter((each) => /session_token=./.test(each)).length, 0);
  });

  it('is on the audit log where it failed', async () => {
    const { body } = await anna.call('GET', '/api/v1/audit');
    const failed = body.entries.filter(({ what }: { what: string }) => what === 'sign-in failed');
    const noted = failed.map(({ who, about }: Record<string, string>) => `${who}: ${about}`);
    // A wrong code and a used one, and one without a password before.
    assert.deepEqual(noted.toSorted(), [
      'an address without a login: 1 time',
      `${OWNER.email}: 2 times`,
    ]);
  });

  it('is replaced by a recovery code, once', async () => {
    const verify = `${AUTH}/two-factor/verify-backup-code`;
    const [code] = backupCodes;
    const browser = stranger();
    await signIn(browser);
    assert.equal((await browser.call('POST', verify, { code })).status, 200);
    assert.equal(await status(browser), 200);
    const again = stranger();
    await signIn(again);
    assert.equal((await again.call('POST', verify, { code })).status, 401);
    assert.equal(await status(again), 401);
  });

  it('leaves sessions listed, and each ended', async () => {
    const { body } = await anna.call('GET', `${AUTH}/list-sessions`);
    assert.equal(body.length, 3);
    for (const { ipAddress } of body) assert.ok(!ipAddress, 'no address is stored');
    const other = stranger();
    await signIn(other);
    const code = { code: backupCodes[1] };
    await other.call('POST', `${AUTH}/two-factor/verify-backup-code`, code);
    assert.equal(await status(other), 200);
    assert.equal((await anna.call('POST', `${AUTH}/revoke-other-sessions`, {})).status, 200);
    assert.deepEqual([await status(other), await status(anna)], [401, 200]);
  });

  it('leaves a session that is used extended, once a day', async () => {
    const db = new DatabaseSync(dataPathsOf(server.dataDir).accounts);
    const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
    const find = db.prepare('SELECT "expiresAt" AS at FROM "session"');
    db.prepare('UPDATE "session" SET "expiresAt" = ?, "updatedAt" = ?').run(inDays(3), inDays(-27));
    assert.equal(await status(anna), 200);
    assert.ok(String(find.get()?.at) > inDays(29), 'it is extended');
    const extended = find.get()?.at;
    assert.equal(await status(anna), 200);
    assert.equal(find.get()?.at, extended);
    db.close();
  });

  it('lets one of two win who use a recovery code at once', async () => {
    const browsers = [stranger(), stranger()];
    for (const each of browsers) await signIn(each);
    const code = { code: backupCodes[2] };
    const answers = await Promise.all(
      browsers.map((each) => each.call('POST', `${AUTH}/two-factor/verify-backup-code`, code)),
    );
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 401]);
    const sessions = await Promise.all(browsers.map(status));
    assert.deepEqual(sessions.toSorted(), [200, 401]);
  });

  it('is slow to guess from anywhere, but not for a known browser or a recovery code', async () => {
    /** Four wrong codes, all at once: one after the other, they may be slow enough by themselves. */
    const guessFrom = async (place: string) => {
      const browser = stranger();
      const from = { 'x-forwarded-for': place };
      await browser.call('POST', `${AUTH}/sign-in/email`, OWNER, from);
      const guess = () =>
        browser.call('POST', `${AUTH}/two-factor/verify-totp`, { code: '000000' }, from);
      const answers = await Promise.all(Array.from({ length: 4 }, guess));
      return answers.map(({ status }) => status).toSorted();
    };
    assert.deepEqual(await guessFrom('192.0.2.1'), [401, 401, 401, 401]);
    assert.equal((await guessFrom('192.0.2.2')).at(-1), 429);
    const signInWith = async (browser: BrowserCalls, path: string, find: () => unknown) => {
      await signIn(browser);
      return (await browser.call('POST', `${AUTH}/two-factor/${path}`, { code: find() })).status;
    };
    assert.equal(await signInWith(stranger(), 'verify-backup-code', () => backupCodes[3]), 200);
    await anna.call('POST', `${AUTH}/sign-out`, {});
    /** The one that is valid for longest. */
    const findUnused = () =>
      [STEP_MS, 0, -STEP_MS]
        .map((wait) => toCode(secret, Date.now() + wait))
        .find((code) => !used.includes(code));
    assert.equal(await signInWith(anna, 'verify-totp', findUnused), 200);
  });

  it('is turned off by a link of the server for who has lost it, with a new password', async () => {
    const args = ['admin', 'link', '--email', OWNER.email, '--without-second-factor'];
    const { url } = await runCli<{ url: string }>(args, server.dataDir);
    const before = stranger();
    assert.equal(
      (await signIn(before)).body.twoFactorRedirect,
      true,
      'the link alone changes nothing',
    );
    const reset = { token: new URL(url).hash.slice(1), password };
    assert.equal((await stranger().call('POST', '/api/reset', reset)).status, 200);
    const browser = stranger();
    await signIn(browser);
    assert.equal((await browser.call('GET', '/api/v1/me')).body.user.two_factor, false);
    await anna.call('POST', `${AUTH}/sign-in/email`, OWNER);
    await anna.call('POST', '/api/v1/sites', { domain: 'listed.example' });
    const changes = await anna.call('GET', '/api/v1/sites/listed.example/audit');
    const said = changes.body.entries.map(({ what }: { what: string }) => what);
    assert.ok(said.includes('two-factor authentication turned off by a reset link'), said.join());
    // Newest first: after the password alone removed the factor, before with a code.
    const signIns = said.filter((what: string) => what.startsWith('signed in'));
    const alone = signIns.filter((what: string) => what === 'signed in with a password');
    assert.equal(alone.length, 2, signIns.join());
    assert.deepEqual(signIns.slice(0, 2), alone);
    assert.ok(signIns.includes('signed in with a password and a code'), signIns.join());
    assert.ok(signIns.includes('signed in with a password and a recovery code'), signIns.join());
    const { body } = await anna.call('POST', `${AUTH}/two-factor/enable`, { password });
    secret = new URL(body.totpURI).searchParams.get('secret') ?? '';
    backupCodes = body.backupCodes;
    const link = await makeResetLink();
    assert.deepEqual([await status(browser), await status(anna)], [200, 200]);
    const code = { code: toCode(secret, Date.now()) };
    assert.equal((await anna.call('POST', `${AUTH}/two-factor/verify-totp`, code)).status, 200);
    assert.deepEqual([await status(browser), await status(anna)], [401, 200], 'a new one ends all');
    assert.equal((await stranger().call('POST', '/api/reset', link)).status, 400);
  });

  it('is not asked for in a browser that is trusted, until the password changes', async () => {
    const browser = stranger();
    await signIn(browser);
    const trusting = { code: backupCodes[4], trustDevice: true };
    await browser.call('POST', `${AUTH}/two-factor/verify-backup-code`, trusting);
    await browser.call('POST', `${AUTH}/sign-out`, {});
    assert.equal((await signIn(browser)).body.twoFactorRedirect, undefined);
    assert.equal(await status(browser), 200);
    const link = await makeResetLink();
    const change = { currentPassword: password, newPassword: 'another password' };
    assert.equal((await anna.call('POST', `${AUTH}/change-password`, change)).status, 200);
    assert.deepEqual([await status(browser), await status(anna)], [401, 200]);
    const changed = { email: OWNER.email, password: change.newPassword };
    const again = await browser.call('POST', `${AUTH}/sign-in/email`, changed);
    assert.equal(again.body.twoFactorRedirect, true);
    assert.equal((await stranger().call('POST', '/api/reset', link)).status, 400);
    const back = { currentPassword: change.newPassword, newPassword: password };
    assert.equal((await anna.call('POST', `${AUTH}/change-password`, back)).status, 200);
  });

  it('is turned off with the password', async () => {
    const off = `${AUTH}/two-factor/disable`;
    assert.equal((await anna.call('POST', off, { password: 'wrong password' })).status, 400);
    assert.equal((await anna.call('POST', off, { password })).status, 200);
    const browser = stranger();
    await signIn(browser);
    assert.equal(await status(browser), 200);
  });

  it('is slow to guess elsewhere, and never at a browser that is known', async () => {
    const guess = { ...OWNER, password: 'not the password' };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => stranger().call('POST', `${AUTH}/sign-in/email`, guess)),
    );
    assert.ok(answers.some((answer) => answer.status === 429));
    await anna.call('POST', `${AUTH}/sign-out`, {});
    assert.equal((await signIn(anna)).status, 200);
    assert.equal(await status(anna), 200);
  });
});

/** Source: RFC 6238, with six digits and thirty seconds. */
function toCode(base32: string, now: number): string {
  const bits = [...base32].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  const bytes = (bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(now / 30_000)));
  const digest = createHmac('sha1', Buffer.from(bytes)).update(counter).digest();
  const at = (digest.at(-1) ?? 0) & 0xf;
  return String((digest.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
