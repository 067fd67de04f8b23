import assert from 'node:assert/strict';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Accounts, openAccounts } from '#accounts/open-accounts.ts';
import { UnavailableError } from '#domain/unavailable.ts';
import { keepAccounts } from './keep-accounts.ts';

const PAGE_BYTES = 4_096;

describe('the accounts of a server', () => {
  let folder: string;
  let path: string;
  let now: number;
  let told: string[];
  let accounts: Accounts | undefined;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tributary-accounts-'));
    path = join(folder, 'accounts.sqlite');
    [now, told] = [0, []];
  });
  afterEach(async () => {
    await accounts?.close();
    rmSync(folder, { recursive: true });
  });

  const besides = () => ({ journals: join(folder, 'journal'), archive: join(folder, 'archive') });
  const keep = () =>
    keepAccounts({
      ...{ location: path, besides: besides(), baseUrl: 'https://stats.example', now: () => now },
      onUnreadable: (reason) => told.push(reason),
    });

  /** Accounts with a link that the server's first person could use, closed again. */
  async function makeFile(): Promise<void> {
    const made = await openAccounts({ location: path, baseUrl: undefined });
    await made.makeStartLink();
    await made.close();
  }

  async function assertAway(): Promise<void> {
    assert.ok(accounts);
    await assert.rejects(accounts.hasOwner(), UnavailableError);
    await assert.rejects(accounts.shares.list('site_1'), UnavailableError);
    await assert.rejects(accounts.makeStartLink(), UnavailableError);
    assert.throws(() => accounts?.takeMail('a@example.com', ''), UnavailableError);
    assert.equal(accounts.origin, 'https://stats.example');
  }

  async function assertThere(): Promise<void> {
    assert.equal(await accounts?.hasOwner(), false);
    assert.deepEqual(await accounts?.shares.list('site_1'), []);
    assert.equal(accounts?.takeMail('a@example.com', ''), 0);
  }

  it('are made at its first start', async () => {
    accounts = await keep();
    await assertThere();
    assert.deepEqual(told, []);
  });

  for (const [how, damage] of [
    ['a file that is something else', () => writeFileSync(path, 'no database'.repeat(1_000))],
    ['a file with a damaged page', () => overwrite(3)],
    ['a file that lacks its end', () => truncateSync(path, statSync(path).size - 3 * PAGE_BYTES)],
  ] as const) {
    it(`answer nothing from ${how}, say which it is, and are back when it is`, async () => {
      await makeFile();
      copyFileSync(path, `${path}.copy`);
      damage();
      accounts = await keep();
      await assertAway();
      assert.equal(told.length, 1);
      assert.ok(told.join().includes(path), told.join());
      copyFileSync(`${path}.copy`, path);
      now += 1_000;
      await assertThere();
    });
  }

  for (const [how, lose] of [
    ['missing', () => rmSync(path)],
    ['empty', () => truncateSync(path)],
  ] as const) {
    it(`are not made anew beside older data when their file is ${how}`, async () => {
      await makeFile();
      lose();
      mkdirSync(besides().journals);
      writeFileSync(join(besides().journals, 'journal-1.db'), '');
      accounts = await keep();
      await assertAway();
      assert.match(told.join(), /is missing or empty, beside older data/);
      assert.equal(existsSync(path) ? statSync(path).size : 0, 0);
      await makeFile(); // As `tributary admin link` does.
      now += 1_000;
      await assertThere();
    });
  }

  it('say which file it is that was damaged while they were open', async () => {
    accounts = await keep();
    await assertThere();
    const other = new DatabaseSync(path, { defensive: false });
    other.exec(`PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = 'nonsense' WHERE name = 'shares';
      PRAGMA schema_version = 9999`);
    other.close();
    for (let asked = 0; asked < 2; asked++) await assert.rejects(accounts.shares.list('site_1'));
    assert.equal(told.length, 1, told.join());
    assert.ok(told.join().includes(`${path}, is damaged`), told.join());
  });

  it('are tried again once a second, not more often', async () => {
    writeFileSync(path, 'no database'.repeat(1_000));
    accounts = await keep();
    rmSync(path);
    now += 999;
    await assertAway();
    now += 1;
    await assertThere();
  });

  function overwrite(page: number): void {
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.alloc(PAGE_BYTES, 0xee), 0, PAGE_BYTES, page * PAGE_BYTES);
    closeSync(file);
  }
});
