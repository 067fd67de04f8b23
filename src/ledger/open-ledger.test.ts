import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { PaymentReport } from '#domain/money/payment-record.ts';
import type { IngestLedger, SiteDirectory } from '#ingest/ports.ts';
import type { EventRow } from '#warehouse/event-row.ts';
import { type Ledger, openLedger } from './open-ledger.ts';

let folder: string;
let path: string;
let ledger: Ledger;
let clock: number;

const open = () => openLedger({ path, now: () => clock });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tributary-ledger-'));
  path = join(folder, 'ledger.db');
  clock = Date.UTC(2026, 10, 21);
  ledger = open();
});

afterEach(async () => {
  await ledger.close();
  rmSync(folder, { recursive: true });
});

async function reopen(): Promise<void> {
  await ledger.close();
  ledger = open();
}

const PAYMENT: PaymentReport = {
  transactionId: 'tx',
  amountMinor: 2999n,
  currency: 'EUR',
  renewal: false,
  refunded: false,
  receivedAt: 1,
};

const GOAL: EventRow = {
  site_id: 'site_1',
  occurred_at: 1,
  accepted_at: 1,
  event_id: '0190163d-8694-739b-aea5-966c26f8ad90',
  type: 'goal',
  visitor_id: 'v',
};

describe('payments of the ledger', () => {
  it('are recorded once, also after a restart', async () => {
    assert.deepEqual(await ledger.acceptPayment('site_1', PAYMENT), { kind: 'recorded' });
    await reopen();
    assert.deepEqual(await ledger.acceptPayment('site_1', PAYMENT), { kind: 'unchanged' });
    assert.deepEqual(ledger.countPayments(), { payments: 1, refunds: 0 });
  });

  it('are one when sixty-four identical reports come at once', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 64 }, () => ledger.acceptPayment('site_1', PAYMENT)),
    );
    assert.equal(outcomes.filter(({ kind }) => kind === 'recorded').length, 1);
    assert.equal(outcomes.filter(({ kind }) => kind === 'unchanged').length, 63);
    assert.deepEqual(ledger.countPayments(), { payments: 1, refunds: 0 });
  });

  it('are one when two processes report them at once', async () => {
    const elsewhere = open();
    const outcomes = await Promise.all([
      ledger.acceptPayment('site_1', PAYMENT),
      elsewhere.acceptPayment('site_1', PAYMENT),
    ]);
    assert.deepEqual(outcomes.map(({ kind }) => kind).toSorted(), ['recorded', 'unchanged']);
    await elsewhere.close();
  });

  it('of two sites may have the same transaction id', async () => {
    await ledger.acceptPayment('site_1', PAYMENT);
    const other = await ledger.acceptPayment('site_2', { ...PAYMENT, amountMinor: 1n });
    assert.deepEqual(other, { kind: 'recorded' });
  });

  it('are refused when they contradict the record, and their neighbours are not', async () => {
    await ledger.acceptPayment('site_1', PAYMENT);
    const outcomes = await Promise.all([
      ledger.acceptPayment('site_1', { ...PAYMENT, transactionId: 'ty' }),
      ledger.acceptPayment('site_1', { ...PAYMENT, amountMinor: 1n }),
      ledger.acceptPayment('site_1', { ...PAYMENT, transactionId: 'tz' }),
    ]);
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['recorded', 'transaction_conflict', 'recorded'],
    );
  });

  it('tell who ships of what is new only', async () => {
    let told = 0;
    const other = openLedger({ path, onRecorded: () => (told += 1) });
    await other.acceptPayment('site_1', PAYMENT);
    await other.acceptPayment('site_1', PAYMENT);
    await other.acceptPayment('site_1', { ...PAYMENT, currency: 'USD' });
    assert.equal(told, 1);
    await other.close();
  });
});

describe('answers of the ledger', () => {
  const claim = { key: 'k', bodyDigest: 'd', answer: 'first' };

  it('are given again for the same key, also after a restart', async () => {
    const first = await ledger.acceptPayment('site_1', PAYMENT, claim);
    assert.deepEqual(first, { kind: 'recorded' });
    await reopen();
    const replayed = { kind: 'replayed', answer: 'first' } as const;
    assert.deepEqual(ledger.findAnswer('site_1', claim), replayed);
    const later = { ...claim, answer: 'second' };
    assert.deepEqual(await ledger.acceptPayment('site_1', PAYMENT, later), replayed);
  });

  it('are a conflict for the same key with another body', async () => {
    await ledger.acceptPayment('site_1', PAYMENT, claim);
    const other = { ...claim, bodyDigest: 'e' };
    const conflict = { kind: 'idempotency_conflict' } as const;
    assert.deepEqual(ledger.findAnswer('site_1', other), conflict);
    const report = { ...PAYMENT, transactionId: 'ty' };
    assert.deepEqual(await ledger.acceptPayment('site_1', report, other), conflict);
    assert.deepEqual(ledger.countPayments(), { payments: 1, refunds: 0 });
  });

  it('belong to their site', async () => {
    await ledger.acceptPayment('site_1', PAYMENT, claim);
    assert.equal(ledger.findAnswer('site_2', claim), undefined);
  });

  it('are not kept for a refused report', async () => {
    await ledger.acceptPayment('site_1', PAYMENT);
    const refused = await ledger.acceptPayment('site_1', { ...PAYMENT, amountMinor: 1n }, claim);
    assert.equal(refused.kind, 'transaction_conflict');
    assert.equal(ledger.findAnswer('site_1', claim), undefined);
  });

  it('are one for goals and payments, and for sixty-four at once', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 64 }, () => ledger.acceptKeyedGoal(GOAL, claim)),
    );
    assert.equal(outcomes.filter(({ kind }) => kind === 'recorded').length, 1);
    assert.equal(outcomes.filter(({ kind }) => kind === 'replayed').length, 63);
    const payment = await ledger.acceptPayment('site_1', PAYMENT, claim);
    assert.deepEqual(payment, { kind: 'replayed', answer: 'first' });
    assert.deepEqual(ledger.countPayments(), { payments: 0, refunds: 0 });
  });
});

describe('the ledger', () => {
  it('numbers journals from 1 on, the same name always the same', async () => {
    assert.equal(ledger.registerJournal('web-0'), 1);
    assert.equal(ledger.registerJournal('web-1'), 2);
    await reopen();
    assert.equal(ledger.registerJournal('web-0'), 1);
    assert.equal(ledger.registerJournal('web-2'), 3);
  });

  it('is not opened when it is of a later release', async () => {
    await ledger.close();
    const db = new DatabaseSync(path);
    db.exec('PRAGMA user_version = 999');
    db.close();
    assert.throws(open, /later release/);
    rmSync(path);
    ledger = open();
  });

  it('refuses with an outage, not an answer, when it cannot write', async () => {
    await ledger.acceptPayment('site_1', PAYMENT);
    const db = new DatabaseSync(path);
    db.exec('ALTER TABLE payments RENAME TO hidden');
    const report = { ...PAYMENT, transactionId: 'ty' };
    await assert.rejects(ledger.acceptPayment('site_1', report), { name: 'UnavailableError' });
    db.exec('ALTER TABLE hidden RENAME TO payments');
    db.close();
    assert.deepEqual(await ledger.acceptPayment('site_1', report), { kind: 'recorded' });
  });

  it('is what ingest asks for', () => {
    const asked: IngestLedger & SiteDirectory = ledger;
    assert.ok(asked);
  });
});
