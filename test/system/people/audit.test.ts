import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import {
  type BrowserCalls,
  OWNER,
  openBrowserCalls,
  signInAsOwner,
} from '../../server/browser-calls.ts';
import { shareServer } from '../../server/share-server.ts';
import { runCli, type TestServer } from '../../server/start-server.ts';

const DOMAIN = 'audited.example';
/** A member of this site only, as other files share the server and read what concerns its owner. */
const BEN = 'ben@audited.example';

describe('the audit log of the server', () => {
  let server: TestServer;
  let anna: BrowserCalls;

  before(async () => {
    server = await shareServer({ RATE_LIMIT_READS: '0' });
    anna = await signInAsOwner(server);
  });

  const signIn = (login: { readonly email: string; readonly password: string }) =>
    openBrowserCalls(server.url).call('POST', '/api/auth/sign-in/email', login);

  /** The latest entries of the whole server, newest first. Its other tests add entries too. */
  async function latest(): Promise<readonly Record<string, string | null>[]> {
    const { status, body } = await anna.call('GET', '/api/v1/audit?limit=1000');
    assert.equal(status, 200);
    return body.entries;
  }

  it('has sites that are gone', async () => {
    await anna.call('POST', '/api/v1/sites', { domain: DOMAIN });
    const [added] = await latest();
    assert.deepEqual([added?.what, added?.site, added?.who], ['site added', DOMAIN, OWNER.email]);
    await anna.call('DELETE', `/api/v1/sites/${DOMAIN}`);
    const [removed] = await latest();
    assert.deepEqual(
      [removed?.what, removed?.about, removed?.site],
      ['site removed', DOMAIN, null],
    );
  });

  it('has commands, and nothing that one has only shown', async () => {
    await runCli(['site', 'add', DOMAIN], server.dataDir);
    const key = await runCli<{ id: string }>(['key', 'create', '--site', DOMAIN], server.dataDir);
    await runCli(['key', 'list'], server.dataDir);
    await runCli(['key', 'revoke', key.id], server.dataDir);
    const ran = (await latest()).filter(({ what }) => what === 'command run');
    assert.deepEqual(
      ran.slice(0, 3).map(({ who, about }) => `${who}: ${about}`),
      [
        `command line: key revoke ${key.id}`,
        `command line: key create --site ${DOMAIN}`,
        `command line: site add ${DOMAIN}`,
      ],
    );
  });

  it('is for the owner of the server only', async () => {
    const invited = await anna.call('POST', `/api/v1/sites/${DOMAIN}/members`, {
      ...{ email: BEN, role: 'owner' },
    });
    const ben = openBrowserCalls(server.url);
    const token = invited.body.url.split('#')[1];
    const login = { token, name: 'Ben', password: 'a long passphrase' };
    assert.equal((await ben.call('POST', '/api/invitations/accept', login)).status, 200);
    assert.equal((await ben.call('GET', `/api/v1/sites/${DOMAIN}/audit`)).status, 200);
    assert.equal((await ben.call('GET', '/api/v1/audit')).status, 403);
    assert.equal((await openBrowserCalls(server.url).call('GET', '/api/v1/audit')).status, 401);
  });

  it('has failed sign-ins, without passwords and without the addresses of strangers', async () => {
    const password = 'a wrong password';
    const stranger = 'nobody-at-all@example.com';
    for (const email of [BEN, stranger, BEN]) {
      assert.equal((await signIn({ email, password })).status, 401);
    }
    const entries = await latest();
    const failed = entries.filter(({ what }) => what === 'sign-in failed');
    const counts = Object.fromEntries(failed.map(({ who, about }) => [who, about]));
    assert.match(counts[BEN] ?? '', /^2 times$/);
    assert.match(counts['an address without a login'] ?? '', /^\d+ times?$/);
    const text = JSON.stringify(entries);
    assert.ok(!text.includes(password) && !text.includes(stranger));
  });
});
