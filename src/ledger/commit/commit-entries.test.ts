import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { PaymentReport } from '#domain/money/payment-record.ts';
import { HOUR_MS } from '#domain/time/durations.ts';
import type { Database } from '#storage/sql/sql.ts';
import { openDatabase } from '../schema/open-database.ts';
import { createCommitEntries, type LedgerEntry } from './commit-entries.ts';

let folder: string;
let db: Database;
let clock = 0;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tributary-commit-'));
  db = await openDatabase(join(folder, 'ledger.db'), { checkpoints: true });
});

afterEach(async () => {
  await db.close();
  rmSync(folder, { recursive: true });
});

const goal = (key: string): LedgerEntry => ({
  kind: 'events',
  siteId: 'site_1',
  events: [{ siteId: 'site_1', onceId: undefined, lineTail: '"s","signup"]\n' }],
  claim: { key, bodyDigest: 'd', answer: key, subject: 'v' },
});

const payment = (transactionId: string, more: Partial<PaymentReport> = {}): LedgerEntry => ({
  kind: 'payment',
  siteId: 'site_1',
  claim: undefined,
  report: {
    transactionId,
    amountMinor: 500n,
    currency: 'EUR',
    renewal: false,
    refunded: false,
    receivedAt: 1,
    ...more,
  },
});

const count = async (table: string) =>
  Number((await db.get(`SELECT count(*) AS n FROM ${table}`))?.n);

describe('committing a group of entries', () => {
  it('puts its events into one batch of the outbox', async () => {
    const commit = createCommitEntries(db);
    await commit([goal('a'), goal('b')]);
    await commit([goal('c'), goal('c')]);
    const batches = await db.all('SELECT seq, rows, CAST(lines AS TEXT) AS lines FROM batches');
    const seq = Number(batches[0]?.seq);
    assert.deepEqual(
      batches.map((batch) => ({ ...batch })),
      [
        { seq, rows: 2, lines: `["${seq}","s","signup"]\n`.repeat(2) },
        { seq: seq + 1, rows: 1, lines: `["${seq + 1}","s","signup"]\n` },
      ],
    );
  });

  it('records all of the group or nothing', async () => {
    const commit = createCommitEntries(db);
    const broken = { ...goal('b'), siteId: undefined as unknown as string };
    await assert.rejects(commit([goal('a'), broken]));
    assert.equal(await count('answers'), 0);
    assert.equal(await count('batches'), 0);
    assert.deepEqual(await commit([goal('a')]), [{ kind: 'recorded' }]);
  });

  it('keeps answers for two days and then deletes them', async () => {
    clock = 0;
    const commit = createCommitEntries(db, () => clock);
    await commit([goal('a')]);
    clock = 47 * HOUR_MS;
    await commit([goal('b')]);
    assert.deepEqual(await commit([goal('a')]), [{ kind: 'replayed', answer: 'a' }]);
    clock = 49 * HOUR_MS;
    await commit([goal('c')]);
    assert.equal(await count('answers'), 2);
    assert.deepEqual(await commit([goal('b')]), [{ kind: 'replayed', answer: 'b' }]);
  });

  it('adds a payment only if its id is not taken by a payment or refund', async () => {
    const commit = createCommitEntries(db);
    const refund = payment('r', { refunded: true, originalTransactionId: 'p' });
    const kinds = async (entries: LedgerEntry[]) => (await commit(entries)).map(({ kind }) => kind);
    assert.deepEqual(
      await kinds([refund, payment('r'), payment('p'), payment('p'), payment('q')]),
      ['recorded', 'transaction_conflict', 'recorded', 'unchanged', 'recorded'],
    );
    assert.deepEqual(await kinds([payment('r'), payment('q', { email: 'a@example.com' })]), [
      'transaction_conflict',
      'recorded',
    ]);
    const saved = await db.all('SELECT transaction_id, email, version FROM payments ORDER BY id');
    assert.deepEqual(
      saved.map((row) => Object.values(row)),
      [
        ['p', null, 2],
        ['q', 'a@example.com', 4],
      ],
    );
  });

  it('notes who else reports what an import of the same group has first recorded', async () => {
    const commit = createCommitEntries(db);
    const imported = { ...payment('p'), importId: 'imp_1' };
    await commit([imported, { ...payment('q'), importId: 'imp_1' }, payment('p')]);
    const noted = await db.all('SELECT transaction_id, reported_by FROM imported_payments');
    assert.deepEqual(
      noted.map((row) => Object.values(row)),
      [
        ['p', 'api'],
        ['q', null],
      ],
    );
  });

  it('restores no erased person', async () => {
    const commit = createCommitEntries(db);
    await commit([payment('p')]);
    await db.exec('UPDATE payments SET erased_at = 1');
    await commit([payment('p', { email: 'a@example.com' })]);
    assert.equal((await db.get('SELECT email FROM payments'))?.email, null);
  });
});
