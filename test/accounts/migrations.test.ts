import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { openAccounts } from '#accounts/open-accounts.ts';
import { openAccountsDatabase } from '#accounts/open-database.ts';

/** A file as commit 36ccd374 made it: an owner, a member with an invitation, and what both have saved. */
const VERSION_1 = new URL('../fixtures/accounts-1.sql', import.meta.url);
const SITE = 'site_1';
const AT = Date.parse('2026-11-01T10:00:00Z');

describe('accounts of version 1', () => {
  let folder: string;
  let location: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tributary-migrations-'));
    location = join(folder, 'accounts.sqlite');
    onFile((db) => db.exec(readFileSync(VERSION_1, 'utf8')));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function onFile<T>(work: (db: DatabaseSync) => T, path = location): T {
    const db = new DatabaseSync(path);
    try {
      return work(db);
    } finally {
      db.close();
    }
  }
  const rowsOf = (table: string, path = location) =>
    onFile((db) => db.prepare(`SELECT * FROM "${table}"`).all(), path);
  const versionOf = (path = location) =>
    onFile((db) => db.prepare('PRAGMA user_version').get()?.user_version, path);

  it('keep every row, and a copy from before that only its owner can read', async () => {
    const tables = onFile((db) =>
      db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all(),
    );
    const before = tables.map(({ name }) => [name, rowsOf(String(name))] as const);
    await (await openAccountsDatabase(location)).close();
    for (const [name, rows] of before) {
      const kept = rowsOf(String(name)).map(({ id, ...row }) =>
        name === 'audit' ? row : { id, ...row },
      );
      const known = rows.map(({ id, ...row }) => (name === 'audit' ? row : { id, ...row }));
      assert.deepEqual(kept, known, String(name));
    }
    const copy = `${location}.version-1`;
    assert.deepEqual([versionOf(), versionOf(copy)], [3, 1]);
    assert.deepEqual(rowsOf('audit', copy), before.find(([name]) => name === 'audit')?.[1]);
    assert.equal(statSync(copy).mode & 0o777, 0o600);
  });

  it('are what their people left', async () => {
    const accounts = await openAccounts({ location, baseUrl: undefined, now: () => AT + 1 });
    const members = await accounts.members.list(SITE);
    assert.deepEqual(
      members.map(({ email, role, isOwner }) => [email, role, isOwner]),
      [
        ['anna@example.com', 'owner', true],
        ['ben@example.com', 'viewer', false],
      ],
    );
    const ben = members[1]?.userId ?? '';
    const [invitation] = await accounts.invitations.list(SITE);
    assert.deepEqual([invitation?.email, invitation?.role], ['cleo@example.com', 'admin']);
    const listed = await accounts.audit.list(undefined, 10);
    assert.deepEqual(
      listed.map(({ about }) => about),
      ['2 times', 'three', 'two', 'one'],
      'those of one moment are in their order',
    );
    const [segment] = await accounts.saved.list(SITE, 'segment', ben);
    assert.deepEqual(segment?.content, { name: 'Berlin' });
    assert.equal((await accounts.shares.list(SITE))[0]?.name, 'Investors');
    assert.equal((await accounts.notices.findSubscriber(ben, SITE))?.sentUntil, '2026-10-25');
    assert.deepEqual(await accounts.notices.listOpen(SITE), [{ kind: 'traffic', since: AT }]);
    await accounts.alerts.setOwn(SITE, ['{}']);
    assert.equal((await accounts.alerts.listOwn(SITE))[0]?.seenUntil, AT + 1);
    const request = new Request(`${accounts.origin}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: accounts.origin },
      body: JSON.stringify({ email: 'anna@example.com', password: 'correct horse battery' }),
    });
    assert.equal((await accounts.handleLogin(request)).status, 200);
    await accounts.close();
  });

  it('get the tables that an early one lacks', async () => {
    const late = ['used_codes', 'saved', 'shares', 'subscriptions', 'alert_rules', 'open_alerts'];
    onFile((db) => {
      for (const table of late) db.exec(`DROP TABLE ${table}`);
    });
    await (await openAccountsDatabase(location)).close();
    for (const table of late) assert.deepEqual(rowsOf(table), []);
  });

  it('of a newer version are refused, with both versions', async () => {
    onFile((db) => db.exec('PRAGMA user_version = 4'));
    await assert.rejects(
      openAccountsDatabase(location),
      /Version 4 of the accounts .* versions up to 3:/,
    );
    assert.equal(versionOf(), 4);
  });
});
