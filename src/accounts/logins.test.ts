import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { isUnreadable } from '#domain/unavailable.ts';
import { createLogins } from './logins.ts';
import { openAccountsDatabase } from './open-database.ts';
import { hashPassword } from './password.ts';
import { createUsers } from './users.ts';

const LOGIN = { email: 'anna@example.com', password: 'correct horse battery' };

describe('signing in', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-test-'));
  const file = openAccountsDatabase(join(folder, 'accounts.sqlite'));
  const users = createUsers(file.db, Date.now);
  after(() => {
    file.db.close();
    rmSync(folder, { recursive: true });
  });

  it('fails with the error of the file when the disk is full, and works when there is room', async () => {
    const { email, password } = LOGIN;
    users.add({ name: 'Anna', email, hash: await hashPassword(password), isOwner: true });
    const told: string[] = [];
    const handle = await createLogins(file, {
      ...{ baseUrl: undefined, isSecure: false, oidc: undefined, isInvited: () => false },
      ...{ users, onLinked() {}, onTrouble: (message) => told.push(message) },
    });
    const signIn = () =>
      handle(
        new Request('http://tributary.invalid/api/auth/sign-in/email', {
          method: 'POST',
          headers: {
            ...{ 'content-type': 'application/json', origin: 'http://tributary.invalid' },
            'user-agent': 'x'.repeat(10_000), // Its session needs pages of its own.
          },
          body: JSON.stringify(LOGIN),
        }),
      );
    const { page_count: pages } = file.db.prepare('PRAGMA page_count').get() ?? {};
    file.db.exec(`PRAGMA max_page_count = ${pages}`);
    await assert.rejects(signIn(), isUnreadable);
    file.db.exec('PRAGMA max_page_count = 1000000');
    assert.equal((await signIn()).status, 200);
    assert.deepEqual(told, [], 'the caller says what is wrong, once');
  });
});
