import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { findPostgres, type PostgresOfTests, startPostgres } from '../../run/start-postgres.ts';
import {
  type BrowserCalls,
  beginAsOwner,
  OWNER,
  openBrowserCalls,
} from '../../server/browser-calls.ts';
import { makeDataDir, runCli, startServer, type TestServer } from '../../server/start-server.ts';
import { waitUntil } from '../../server/wait-until.ts';

describe('people of a server with DATABASE_URL', { skip: findPostgres() === undefined }, () => {
  let database: PostgresOfTests;
  let server: TestServer;
  let url: string;
  let anna: BrowserCalls;
  before(async () => {
    database = (await startPostgres()) as PostgresOfTests;
    url = await database.makeDatabase();
    server = await startServer({ env: { DATABASE_URL: url } });
    anna = await beginAsOwner(server);
  });
  after(async () => {
    await server.stop();
    server.cleanUp();
    await database.stop();
  });
  const signIn = () => openBrowserCalls(server.url).call('POST', '/api/auth/sign-in/email', OWNER);

  it('are in the database, and in no file', async () => {
    assert.equal((await anna.call('GET', '/api/v1/me')).body.user.email, OWNER.email);
    assert.equal((await signIn()).status, 200);
    assert.equal(existsSync(join(server.dataDir, 'accounts.sqlite')), false);
  });

  it('add sites and keys, invite others, and find it all in the audit log', async () => {
    const site = { domain: 'one.example', timezone: 'Europe/Berlin', currency: 'EUR' };
    const { body: added, status } = await anna.call('POST', '/api/v1/sites', site);
    assert.equal(status, 200);
    const key = { name: 'Shop', scopes: ['stats:read'] };
    const made = await anna.call('POST', `/api/v1/sites/${added.id}/keys`, key);
    assert.equal(made.status, 200);
    const ben = { email: 'ben@example.com', role: 'viewer' };
    const invited = await anna.call('POST', `/api/v1/sites/${added.id}/members`, ben);
    const token = String(invited.body.url).split('#')[1] ?? '';
    const browser = openBrowserCalls(server.url);
    const login = { token, name: 'Ben', password: 'another good one' };
    assert.equal((await browser.call('POST', '/api/invitations/accept', login)).status, 200);
    const { body } = await anna.call('GET', `/api/v1/sites/${added.id}/audit`);
    const whats = body.entries.map(({ what }: { readonly what: string }) => what);
    for (const what of ['member joined', 'member invited', 'key created', 'site added']) {
      assert.ok(whats.includes(what), whats.join());
    }
  });

  it('keep their database: a server on another DATA_DIR is refused, until it claims it', async () => {
    const dataDir = makeDataDir();
    const env = { DATABASE_URL: url };
    await assert.rejects(startServer({ dataDir, env }), /belongs to another server/);
    const said = await runCli(['ledger', 'claim'], dataDir, undefined, env);
    assert.deepEqual(said, { data_dir: dataDir });
    await runCli(['ledger', 'claim'], server.dataDir, undefined, env);
    rmSync(dataDir, { recursive: true });
  });

  it('are told to come again while the database is away, and are signed in when it is back', async () => {
    await database.crash();
    assert.equal((await anna.call('GET', '/api/v1/me')).status, 503);
    assert.equal((await signIn()).status, 503);
    await database.start();
    await waitUntil(signIn, ({ status }) => status === 200);
    assert.equal((await anna.call('GET', '/api/v1/me')).status, 200);
  });
});
