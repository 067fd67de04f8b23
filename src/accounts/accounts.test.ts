import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { getMigrations } from 'better-auth/db/migration';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { HOUR_MS } from '#domain/time/durations.ts';
import { toKysely } from '#storage/sql/kysely.ts';
import { createLinks } from './links.ts';
import { type Accounts, openAccounts } from './open-accounts.ts';
import { openAccountsDatabase } from './open-database.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { createUsers } from './users.ts';

const BEN = 'ben@example.com';

describe('the file of people', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-test-'));
  const path = join(folder, 'accounts.sqlite');
  after(() => rmSync(folder, { recursive: true }));

  it('has every table and column that better-auth wants', async () => {
    const { db, loginsDb, secret } = await openAccountsDatabase(path);
    const { toBeCreated, toBeAdded } = await getMigrations({
      ...{
        database: await toKysely(loginsDb),
        secret,
        plugins: [twoFactor()],
        telemetry: { enabled: false },
      },
    });
    assert.deepEqual([toBeCreated, toBeAdded], [[], []]);
    await db.close();
  });

  it('lets a code of an authenticator app be used once, while it may be valid', async () => {
    let now = 0;
    const { db } = await openAccountsDatabase(path);
    const users = createUsers(db, () => now);
    const ids: string[] = [];
    for (const email of ['a@example.com', 'b@example.com']) {
      const id = await users.add({ name: 'A', email, hash: '', isOwner: false });
      const factor = 'INSERT INTO "twoFactor" ("id", "secret", "backupCodes", "userId")';
      await db.run(`${factor} VALUES (?, '', '', ?)`, `factor of ${id}`, id);
      ids.push(id);
    }
    const use = (at: number) => {
      now = at;
      return Promise.all(ids.map((id) => users.spendCode(id, '123456')));
    };
    assert.deepEqual(await use(0), [true, true]);
    assert.deepEqual(await use(90_000), [false, false]);
    assert.deepEqual(await use(10 * 60_000), [true, true]);
    for (const email of ['a@example.com', 'b@example.com']) await users.remove(email);
    assert.deepEqual(await db.all('SELECT * FROM used_codes'), []);
    await db.close();
  });

  it('keeps its secret, and only hashes of links', async () => {
    const first = await openAccountsDatabase(path);
    const token = await createLinks(first.db, Date.now).make({ kind: 'start' }, HOUR_MS);
    const { sha256 } = (await first.db.get('SELECT sha256 FROM links')) ?? {};
    assert.match(String(sha256), /^[0-9a-f]{64}$/);
    assert.notEqual(sha256, token);
    await first.close();
    const second = await openAccountsDatabase(path);
    assert.equal(second.secret, first.secret);
    assert.equal(Buffer.from(second.secret, 'base64url').length, 32);
    await second.close();
  });

  it('lets one of two win who begin at once, and nobody after an hour', async () => {
    let now = 0;
    const accounts = await openAccounts({ location: path, baseUrl: undefined, now: () => now });
    const old = (await accounts.makeStartLink()) ?? '';
    now = HOUR_MS;
    const login = { name: 'A', email: 'a@example.com', password: 'long enough' };
    assert.equal((await accounts.start(old, login)).ok, false);
    const token = (await accounts.makeStartLink()) ?? '';
    const outcomes = await Promise.all([
      accounts.start(token, login),
      accounts.start(token, { ...login, email: 'b@example.com' }),
    ]);
    assert.deepEqual(outcomes.map(({ ok }) => ok).toSorted(), [false, true]);
    assert.equal(await accounts.makeStartLink(), undefined);
    await accounts.close();
    const { db } = await openAccountsDatabase(path);
    const { password } = (await db.get('SELECT "password" FROM "account"')) ?? {};
    assert.match(String(password), /^scrypt\$32768\$8\$3\$/, 'a server asks for all the work');
    await db.close();
  });
});

describe('an invitation', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-test-'));
  let accounts: Accounts;
  before(async () => {
    const location = join(folder, 'accounts.sqlite');
    accounts = await openAccounts({
      location,
      baseUrl: undefined,
      passwordCost: { N: 2, r: 1, p: 1 },
    });
  });
  after(async () => {
    await accounts.close();
    rmSync(folder, { recursive: true });
  });
  const invite = (siteId: string) =>
    accounts.invitations.invite({ email: BEN, siteId, role: 'viewer' });
  const accept = async (token: string, isProved?: boolean) => {
    const id = (await accounts.findUserId(BEN)) ?? '';
    const login = { id, name: 'Ben', email: BEN, isOwner: false, twoFactor: false };
    const session = { sessionId: '', isSessionDue: false };
    const user = isProved === undefined ? undefined : { ...login, ...session, isProved };
    return accounts.invitations.accept(token, { user, name: 'Ben', password: 'long enough' });
  };

  it('has one token for its sender and one that proves the address, and either ends both', async () => {
    const { token, proof } = await invite('one');
    for (const each of [token, proof]) {
      assert.match(each, /^[\w-]{43}$/);
      assert.equal((await accounts.invitations.find(each))?.email, BEN);
    }
    assert.equal((await accept(token)).ok, true);
    assert.equal(await accounts.invitations.find(proof), undefined);
  });

  it('is no way for a login whose address nobody proved, except by the token that does', async () => {
    const { token, proof } = await invite('two');
    const refused = await accept(token, false);
    assert.match(
      refused.ok ? '' : refused.error.message,
      /does not show that the address is yours/,
    );
    assert.equal((await accept(proof, false)).ok, true);
    assert.equal((await accept((await invite('three')).token, true)).ok, true);
  });
});

describe('a password', () => {
  it('is known again by its hash, however it is composed, and no other is', async () => {
    const hash = await hashPassword('Amélie’s password');
    assert.equal(await verifyPassword('Ame\u0301lie’s password', hash), true);
    assert.equal(await verifyPassword('Amelie’s password', hash), false);
    assert.equal(await verifyPassword('', hash), false);
    assert.equal(await verifyPassword('anything', 'md5$1'), false);
  });
});
