import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { PaymentReport } from '#domain/money/payment-record.ts';
import { createCommitEntries, type LedgerEntry } from './commit-entries.ts';
import { openDatabase } from './open-database.ts';

const HOUR_MS = 60 * 60 * 1_000;

let folder: string;
let db: DatabaseSync;
let clock = 0;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tributary-commit-'));
  db = openDatabase(join(folder, 'ledger.db'), { checkpoints: true });
});

afterEach(() => {
  db.close();
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

const count = (table: string) => Number(db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n);

describe('committing a group of entries', () => {
  it('puts its events into one batch of the outbox', () => {
    const commit = createCommitEntries(db);
    commit([goal('a'), goal('b')]);
    commit([goal('c'), goal('c')]);
    const batches = db.prepare('SELECT seq, rows, CAST(lines AS TEXT) AS lines FROM batches').all();
    const seq = Number(batches[0]?.seq);
    assert.deepEqual(
      batches.map((batch) => ({ ...batch })),
      [
        { seq, rows: 2, lines: `["${seq}","s","signup"]\n`.repeat(2) },
        { seq: seq + 1, rows: 1, lines: `["${seq + 1}","s","signup"]\n` },
      ],
    );
  });

  it('records all of the group or nothing', () => {
    const commit = createCommitEntries(db);
    const broken = { ...goal('b'), siteId: undefined as unknown as string };
    assert.throws(() => commit([goal('a'), broken]));
    assert.equal(count('answers'), 0);
    assert.equal(count('batches'), 0);
    assert.deepEqual(commit([goal('a')]), [{ kind: 'recorded' }]);
  });

  it('keeps answers for two days and then deletes them', () => {
    clock = 0;
    const commit = createCommitEntries(db, () => clock);
    commit([goal('a')]);
    clock = 47 * HOUR_MS;
    commit([goal('b')]);
    assert.deepEqual(commit([goal('a')]), [{ kind: 'replayed', answer: 'a' }]);
    clock = 49 * HOUR_MS;
    commit([goal('c')]);
    assert.equal(count('answers'), 2);
    assert.deepEqual(commit([goal('b')]), [{ kind: 'replayed', answer: 'b' }]);
  });

  it('adds a payment only if its id is not taken by a payment or refund', () => {
    const commit = createCommitEntries(db);
    const refund = payment('r', { refunded: true, originalTransactionId: 'p' });
    const kinds = (entries: LedgerEntry[]) => commit(entries).map(({ kind }) => kind);
    assert.deepEqual(kinds([refund, payment('r'), payment('p'), payment('p'), payment('q')]), [
      'recorded',
      'transaction_conflict',
      'recorded',
      'unchanged',
      'recorded',
    ]);
    assert.deepEqual(kinds([payment('r'), payment('q', { email: 'a@example.com' })]), [
      'transaction_conflict',
      'recorded',
    ]);
    const saved = db.prepare('SELECT transaction_id, email, version FROM payments ORDER BY id');
    assert.deepEqual(
      saved.all().map((row) => Object.values(row)),
      [
        ['p', null, 2],
        ['q', 'a@example.com', 4],
      ],
    );
  });

  it('restores no erased person', () => {
    const commit = createCommitEntries(db);
    commit([payment('p')]);
    db.exec('UPDATE payments SET erased_at = 1');
    commit([payment('p', { email: 'a@example.com' })]);
    assert.equal(db.prepare('SELECT email FROM payments').get()?.email, null);
  });
});
