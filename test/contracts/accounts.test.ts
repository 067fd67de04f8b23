import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { getMigrations } from 'better-auth/db/migration';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { makeAccountsSchema } from '#accounts/migrations/schema.ts';
import { openAccounts } from '#accounts/open-accounts.ts';
import { openAccountsDatabase } from '#accounts/open-database.ts';
import { COMMAND_LINE } from '#domain/account/audit.ts';
import { UnavailableError } from '#domain/unavailable.ts';
import { openLedger } from '#ledger/open-ledger.ts';
import { copyTables, tablesOf } from '#storage/sql/copy-tables.ts';
import { toKysely } from '#storage/sql/kysely.ts';
import {
  findPostgres,
  makeSchema,
  type PostgresOfTests,
  startPostgres,
} from '../run/start-postgres.ts';
import { describeAccounts } from './accounts-contract.ts';

const OPTIONS = { baseUrl: undefined, passwordCost: { N: 2, r: 1, p: 1 } };

describeAccounts('accounts of SQLite', async (now) => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-contract-'));
  const location = join(folder, 'accounts.sqlite');
  return {
    open: () => openAccounts({ ...OPTIONS, location, now }),
    remove: () => rmSync(folder, { recursive: true }),
  };
});

describe('with PostgreSQL', { skip: findPostgres() === undefined }, () => {
  let server: PostgresOfTests;
  before(async () => {
    server = (await startPostgres()) as PostgresOfTests;
  });
  after(() => server.stop());

  describeAccounts('accounts', async (now) => {
    const location = await makeSchema(server.url);
    await (await openLedger({ location })).close(); // Both are in one database.
    return { open: () => openAccounts({ ...OPTIONS, location, now }) };
  });

  it('there is every table and column that better-auth wants', async () => {
    const { loginsDb, secret, close } = await openAccountsDatabase(await makeSchema(server.url));
    const { toBeCreated, toBeAdded } = await getMigrations({
      ...{ database: await toKysely(loginsDb), secret, plugins: [twoFactor()] },
      telemetry: { enabled: false },
    });
    assert.deepEqual([toBeCreated, toBeAdded], [[], []]);
    await close();
  });

  it('accounts of a file can be copied there and back', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tributary-contract-'));
    const places = [join(folder, '1'), await makeSchema(server.url), join(folder, '2')];
    const version1 = new DatabaseSync(places[0] ?? '');
    version1.exec(readFileSync(new URL('../fixtures/accounts-1.sql', import.meta.url), 'utf8'));
    version1.close();
    const [from, between, to] = await Promise.all(places.map((each) => openAccountsDatabase(each)));
    assert.ok(from && between && to);
    const tables = tablesOf(makeAccountsSchema().tables);
    for (const [source, target] of [
      [from, between],
      [between, to],
    ] as const) {
      for (const table of await copyTables(source.db, target.db, tables, () => {})) {
        assert.deepEqual(table.to, table.from, table.table);
      }
    }
    for (const table of tables) {
      const all = `SELECT * FROM ${table} ORDER BY 1`;
      assert.deepEqual(await to.db.all(all), await from.db.all(all));
    }
    await Promise.all([from, between, to].map((each) => each.close()));
    const copy = await openAccounts({ ...OPTIONS, location: places[1] ?? '' });
    await copy.audit.note(COMMAND_LINE, { siteId: '', what: 'command run', about: 'demo' });
    assert.equal((await copy.audit.list(undefined, 10)).length, 5);
    await copy.close();
    rmSync(folder, { recursive: true });
  });

  it('accounts of version 2 get the tables of alerts', async () => {
    const location = await makeSchema(server.url);
    const old = await openAccountsDatabase(location);
    await old.db.exec('DROP TABLE own_alerts; DROP TABLE deliveries');
    await old.db.run("UPDATE schema_versions SET version = 2 WHERE store = 'accounts'");
    await old.close();
    const accounts = await openAccounts({ ...OPTIONS, location });
    const message = { siteId: 'site_1', recipients: [''], content: '{}' };
    await accounts.alerts.raise('site_1', { kind: 'traffic', since: 1 }, message);
    assert.equal((await accounts.alerts.takeDue(10)).length, 1);
    await accounts.close();
  });

  it('accounts that are gone are not made anew beside older data', async () => {
    const location = await makeSchema(server.url);
    await assert.rejects(openAccountsDatabase(location, false), /no logins, beside older data/);
    await (await openAccountsDatabase(location)).close();
    await (await openAccountsDatabase(location, false)).close();
  });

  it('a server that is away makes accounts unavailable, until it is back', async () => {
    const location = await makeSchema(server.url);
    const accounts = await openAccounts({ ...OPTIONS, location });
    const signIn = () =>
      accounts.handleLogin(
        new Request(`${accounts.origin}/api/auth/sign-in/email`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', origin: accounts.origin },
          body: JSON.stringify({ email: 'anna@example.com', password: 'correct horse battery' }),
        }),
      );
    assert.equal((await signIn()).status, 401);
    await server.crash();
    await assert.rejects(signIn(), UnavailableError);
    await assert.rejects(accounts.hasOwner(), UnavailableError);
    await server.start();
    assert.equal(await accounts.hasOwner(), false);
    assert.equal((await signIn()).status, 401);
    await accounts.close();
  });
});
