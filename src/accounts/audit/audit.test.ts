import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type AccountsDatabase, openAccountsDatabase } from '../open-database.ts';
import { createUsers } from '../users.ts';
import { type Audit, COMMAND_LINE, createAudit } from './audit.ts';
import { toAuditedCommand } from './audited-commands.ts';

const ANNA = 'anna@example.com';
const MINUTE_MS = 60_000;

describe('the audit log', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-test-'));
  let file: AccountsDatabase;
  let audit: Audit;
  let now: number;
  before(() => {
    file = openAccountsDatabase(join(folder, 'accounts.sqlite'));
    const login = { name: 'Anna', email: ANNA, hash: '', isOwner: true };
    createUsers(file.db, Date.now).add(login);
  });
  beforeEach(() => {
    now = 0;
    file.db.exec('DELETE FROM audit');
    audit = createAudit(file.db, () => now);
  });
  after(() => {
    file.db.close();
    rmSync(folder, { recursive: true });
  });
  const listed = (siteId?: string) =>
    audit.list(siteId, 100).map(({ who, what, about }) => `${who}: ${what}: ${about}`);

  it('counts the failed sign-ins of a login within an hour in one entry', () => {
    for (let tries = 0; tries < 3; tries += 1) {
      audit.noteFailure(ANNA);
      now += 25 * MINUTE_MS;
    }
    audit.noteFailure(ANNA);
    assert.deepEqual(listed(), [
      `${ANNA}: sign-in failed: 1 time`,
      `${ANNA}: sign-in failed: 3 times`,
    ]);
    assert.deepEqual(listed('site_1'), listed(), 'the owner is a member of every site');
  });

  it('neither fills up with the addresses of strangers, nor stores them', () => {
    for (let tries = 0; tries < 1_000; tries += 1) audit.noteFailure(`${tries}@example.com`);
    audit.noteFailure(undefined);
    assert.deepEqual(listed(), ['an address without a login: sign-in failed: 1001 times']);
    assert.deepEqual(listed('site_1'), []);
  });

  it('has the changes of removed sites and of commands in the list of the server', () => {
    const removed = { siteId: 'site_1', what: 'site removed', about: 'tea.example' };
    audit.note({ id: 'user_1', email: ANNA }, removed);
    const change = { siteId: '', what: 'command run', about: 'key revoke key_1' };
    audit.note(COMMAND_LINE, change);
    assert.deepEqual(listed(), [
      'command line: command run: key revoke key_1',
      `${ANNA}: site removed: tea.example`,
    ]);
    assert.deepEqual(listed('site_2'), []);
  });
});

describe('a command', () => {
  const cases = [
    ['key create --site tea.example --json', 'key create --site tea.example'],
    ['site remove tea.example --yes', 'site remove tea.example'],
    ['site channel add tea.example Partners', 'site channel add tea.example Partners'],
    ['admin link --email a@example.com', 'admin link --email a@example.com'],
    ['demo --visitors 5', 'demo --visitors 5'],
    ['visitor delete 3b241101 --site tea.example', 'visitor delete --site tea.example'],
    ['payment correct t_1 --visitor 3b241101', 'payment correct --site tea.example'],
    ['key list', undefined],
    ['site script tea.example', undefined],
    ['visitor show 3b241101 --site tea.example', undefined],
    ['doctor', undefined],
  ] as const;
  for (const [said, about] of cases) {
    it(`is ${about === undefined ? 'not ' : ''}recorded: ${said}`, () => {
      assert.equal(toAuditedCommand(said.split(' '), 'tea.example')?.about, about);
    });
  }
});
