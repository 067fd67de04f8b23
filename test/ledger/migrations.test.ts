import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { openLedger, openProjection } from '#ledger/open-ledger.ts';
import { openDatabase } from '#ledger/schema/open-database.ts';
import { LEDGER } from '#ledger/schema/schema.ts';
import { NO_RATES } from './rates-of-test.ts';

/** A data directory of commit 36ccd374: a shop with three visitors, six reports of payments, and a login. */
const FIXTURE = new URL('../fixtures/data-of-36ccd374.tgz', import.meta.url).pathname;

describe('a ledger of version 14', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tributary-migrations-'));
    execFileSync('tar', ['-xzf', FIXTURE, '-C', folder, 'fixture14/ledger.db']);
    path = join(folder, 'fixture14', 'ledger.db');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const versionOf = (file: string) => {
    const db = new DatabaseSync(file, { readOnly: true });
    const { user_version: version } = db.prepare('PRAGMA user_version').get() ?? {};
    db.close();
    return version;
  };

  it('keeps its sites, keys, payments and refunds, and the payments of matched refunds', async () => {
    const ledger = await openLedger({ location: path });
    const [site] = await ledger.listSites();
    assert.deepEqual(
      [site?.domain, site?.timezone, site?.currency],
      ['shop.example', 'Europe/Berlin', 'EUR'],
    );
    const siteId = site?.id ?? '';
    assert.equal((await ledger.listKeys(siteId)).length, 1);
    const listed = await ledger.listPayments(siteId, {}, { limit: 10 });
    const shown = listed.map(({ transactionId, status, record, refunds }) => [
      ...[transactionId, status, record.statedMinor],
      refunds.map((refund) => [refund.transactionId, refund.amountMinor, refund.isMatched]),
    ]);
    assert.deepEqual(shown, [
      ['s1', 'renewal', 400n, []],
      ['r9', 'unmatched_refund', undefined, [['r9', 500n, false]]],
      ['p2', 'refunded', 950n, [['r2', 950n, true]]],
      ['p1', 'partly_refunded', 3000n, [['r1', 1000n, false]]],
    ]);
    const keysById = await ledger.findPersonKeys(siteId, ['ann']);
    assert.deepEqual(keysById.get('ann')?.visitors, ['ann', 'bob']);
    const claim = { key: 'pay-1', bodyDigest: 'another' };
    assert.equal((await ledger.findAnswer(siteId, claim))?.kind, 'idempotency_conflict');
    assert.equal(ledger.outboxBytes(), 0);
    await ledger.close();
  });

  it('ships what has changed again: a matched refund is no longer a payment, an unmatched one leaves', async () => {
    const { sources, close } = await openProjection(path, NO_RATES);
    const shipment = await sources[0]?.nextShipment();
    const rows = `${shipment?.lines}`
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const shown = rows.map((row) => [
      row.kind,
      row.transaction_id,
      row.amount_minor,
      row.is_deleted,
    ]);
    assert.deepEqual(shown, [
      ['payment', 'p2', '950', undefined],
      ['refund', 'r2', '950', undefined],
      ['payment', 'r2', '950', 1],
      ['payment', 'r9', '500', 1],
      ['refund', 'r9', '500', 1],
    ]);
    await close();
  });

  it('has the tables and indexes of a new one', async () => {
    await (await openDatabase(path, { checkpoints: false })).close();
    await (await openDatabase(join(folder, 'new.db'), { checkpoints: false })).close();
    const shapeOf = (file: string) => {
      const db = new DatabaseSync(file, { readOnly: true });
      const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
      const columns = tables.map(({ name }) => [
        name,
        db
          .prepare(`SELECT name, type, "notnull" FROM pragma_table_info('${name}') ORDER BY name`)
          .all(),
      ]);
      const others = db
        .prepare("SELECT name FROM sqlite_schema WHERE type IN ('index', 'trigger') ORDER BY name")
        .all();
      db.close();
      const isKept = ([name]: unknown[]) => name !== 'sqlite_sequence' && name !== 'sqlite_stat1';
      return {
        columns: columns
          .filter(isKept)
          .map((each) => JSON.stringify(each))
          .toSorted(),
        others,
      };
    };
    assert.deepEqual(shapeOf(path), shapeOf(join(folder, 'new.db')));
  });

  it('is copied before it is changed', async () => {
    const before = readFileSync(path);
    await (await openDatabase(path, { checkpoints: false })).close();
    assert.equal(versionOf(path), LEDGER.version);
    assert.equal(versionOf(`${path}.version-14`), 14);
    assert.equal(readFileSync(`${path}.version-14`).length, before.length);
  });

  it('is changed as a whole, although the program is killed in the middle', async () => {
    for (const point of ['before ledger schema', 'after ledger schema']) {
      const plan = join(folder, 'plan');
      writeFileSync(plan, `${point}\n`);
      const open = `import('${new URL('../../src/ledger/schema/open-database.ts', import.meta.url)}')
        .then(({ openDatabase }) => openDatabase('${path}', { checkpoints: false }))`;
      const { signal } = spawnSync(process.execPath, ['-e', open], {
        env: { ...process.env, TRIBUTARY_TEST_CRASH_PLAN: plan },
      });
      assert.equal(signal, 'SIGKILL');
      assert.equal(existsSync(plan), false);
      assert.equal(versionOf(path), point.startsWith('before') ? 14 : LEDGER.version);
    }
    const db = await openDatabase(path, { checkpoints: false });
    assert.equal((await db.all('SELECT id FROM payments')).length, 4);
    await db.close();
  });

  it('is refused by an older program, with both versions', async () => {
    const db = new DatabaseSync(path);
    db.exec('PRAGMA user_version = 99');
    db.close();
    await assert.rejects(
      openDatabase(path, { checkpoints: false }),
      new RegExp(`Version 99 of the ledger is newer .* up to ${LEDGER.version}:`),
    );
  });
});
