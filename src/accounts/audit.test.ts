import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { COMMAND_LINE } from '#domain/account/audit.ts';
import { MINUTE_MS } from '#domain/time/durations.ts';
import { createAudit } from './audit.ts';
import { type AccountsDatabase, openAccountsDatabase } from './open-database.ts';
import { createUsers } from './users.ts';

const ANNA = 'anna@example.com';

describe('the audit log', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-test-'));
  let file: AccountsDatabase;
  let audit: ReturnType<typeof createAudit>;
  let now: number;
  before(async () => {
    file = await openAccountsDatabase(join(folder, 'accounts.sqlite'));
    const login = { name: 'Anna', email: ANNA, hash: '', isOwner: true };
    await createUsers(file.db, Date.now).add(login);
  });
  beforeEach(async () => {
    now = 0;
    await file.db.exec('DELETE FROM audit');
    audit = createAudit(file.db, () => now);
  });
  after(async () => {
    await file.close();
    rmSync(folder, { recursive: true });
  });
  const listed = async (siteId?: string) =>
    (await audit.list(siteId, 100)).map(({ who, what, about }) => `${who}: ${what}: ${about}`);

  it('counts the failed sign-ins of a login within an hour in one entry', async () => {
    for (let tries = 0; tries < 3; tries += 1) {
      await audit.noteFailure(ANNA);
      now += 25 * MINUTE_MS;
    }
    await audit.noteFailure(ANNA);
    assert.deepEqual(await listed(), [
      `${ANNA}: sign-in failed: 1 time`,
      `${ANNA}: sign-in failed: 3 times`,
    ]);
    assert.deepEqual(await listed('site_1'), await listed(), 'the owner is a member of every site');
  });

  it('neither fills up with the addresses of strangers, nor stores them', async () => {
    for (let tries = 0; tries < 1_000; tries += 1) await audit.noteFailure(`${tries}@example.com`);
    await audit.noteFailure(undefined);
    assert.deepEqual(await listed(), ['an address without a login: sign-in failed: 1001 times']);
    assert.deepEqual(await listed('site_1'), []);
  });

  it('lists some changes of one kind by one user, and counts the rest, so that others stay on it', async () => {
    const change = (id: string, about: string, what = 'segment added') =>
      audit.note({ id, email: `${id}@example.com` }, { siteId: 'site_1', what, about });
    await change('ben', 'his only one');
    for (let made = 0; made < 100; made += 1) await change('eve', `${made}`);
    await change('eve', 'Eve', 'member invited');
    assert.equal((await listed()).length, 23);
    assert.equal((await listed())[0], 'eve@example.com: member invited: Eve');
    assert.equal((await listed())[1], 'eve@example.com: segment added, and more: 80 times');
    assert.equal((await listed()).at(-1), 'ben@example.com: segment added: his only one');
    now += 61 * MINUTE_MS;
    await change('eve', 'an hour later');
    assert.equal((await listed())[0], 'eve@example.com: segment added: an hour later');
  });

  it('has the changes of removed sites and of commands in the list of the server', async () => {
    const removed = { siteId: 'site_1', what: 'site removed', about: 'tea.example' };
    await audit.note({ id: 'user_1', email: ANNA }, removed);
    const change = { siteId: '', what: 'command run', about: 'key revoke key_1' };
    await audit.note(COMMAND_LINE, change);
    assert.deepEqual(await listed(), [
      'command line: command run: key revoke key_1',
      `${ANNA}: site removed: tea.example`,
    ]);
    assert.deepEqual(await listed('site_2'), []);
  });
});
