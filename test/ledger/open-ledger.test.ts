import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import type { EventRow } from '#contract/event-row.ts';
import type { PaymentReport } from '#domain/money/payment-record.ts';
import type { IngestLedger, SiteDirectory } from '#ingest/ports.ts';
import { openLedger } from '#ledger/open-ledger.ts';
import { makeLedgerForEachTest } from './ledger-of-test.ts';

const own = makeLedgerForEachTest();

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
    assert.deepEqual(await own.ledger.acceptPayment('site_1', PAYMENT), { kind: 'recorded' });
    await own.reopen();
    assert.deepEqual(await own.ledger.acceptPayment('site_1', PAYMENT), { kind: 'unchanged' });
    assert.deepEqual(own.ledger.countPayments(), { payments: 1, refunds: 0 });
  });

  it('are one when sixty-four identical reports come at once', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 64 }, () => own.ledger.acceptPayment('site_1', PAYMENT)),
    );
    assert.equal(outcomes.filter(({ kind }) => kind === 'recorded').length, 1);
    assert.equal(outcomes.filter(({ kind }) => kind === 'unchanged').length, 63);
    assert.deepEqual(own.ledger.countPayments(), { payments: 1, refunds: 0 });
  });

  it('are one when two processes report them at once', async () => {
    const elsewhere = own.open();
    const outcomes = await Promise.all([
      own.ledger.acceptPayment('site_1', PAYMENT),
      elsewhere.acceptPayment('site_1', PAYMENT),
    ]);
    assert.deepEqual(outcomes.map(({ kind }) => kind).toSorted(), ['recorded', 'unchanged']);
    await elsewhere.close();
  });

  it('of two sites may have the same transaction id', async () => {
    await own.ledger.acceptPayment('site_1', PAYMENT);
    const other = await own.ledger.acceptPayment('site_2', { ...PAYMENT, amountMinor: 1n });
    assert.deepEqual(other, { kind: 'recorded' });
  });

  it('are refused when they contradict the record, and their neighbours are not', async () => {
    await own.ledger.acceptPayment('site_1', PAYMENT);
    const outcomes = await Promise.all([
      own.ledger.acceptPayment('site_1', { ...PAYMENT, transactionId: 'ty' }),
      own.ledger.acceptPayment('site_1', { ...PAYMENT, amountMinor: 1n }),
      own.ledger.acceptPayment('site_1', { ...PAYMENT, transactionId: 'tz' }),
    ]);
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['recorded', 'transaction_conflict', 'recorded'],
    );
  });

  it('tell who ships of what is new only', async () => {
    let told = 0;
    const other = openLedger({ path: own.path, onRecorded: () => (told += 1) });
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
    const first = await own.ledger.acceptPayment('site_1', PAYMENT, claim);
    assert.deepEqual(first, { kind: 'recorded' });
    await own.reopen();
    const replayed = { kind: 'replayed', answer: 'first' } as const;
    assert.deepEqual(own.ledger.findAnswer('site_1', claim), replayed);
    const later = { ...claim, answer: 'second' };
    assert.deepEqual(await own.ledger.acceptPayment('site_1', PAYMENT, later), replayed);
  });

  it('are a conflict for the same key with another body', async () => {
    await own.ledger.acceptPayment('site_1', PAYMENT, claim);
    const other = { ...claim, bodyDigest: 'e' };
    const conflict = { kind: 'idempotency_conflict' } as const;
    assert.deepEqual(own.ledger.findAnswer('site_1', other), conflict);
    const report = { ...PAYMENT, transactionId: 'ty' };
    assert.deepEqual(await own.ledger.acceptPayment('site_1', report, other), conflict);
    assert.deepEqual(own.ledger.countPayments(), { payments: 1, refunds: 0 });
  });

  it('belong to their site', async () => {
    await own.ledger.acceptPayment('site_1', PAYMENT, claim);
    assert.equal(own.ledger.findAnswer('site_2', claim), undefined);
  });

  it('are not kept for a refused report', async () => {
    await own.ledger.acceptPayment('site_1', PAYMENT);
    const refused = await own.ledger.acceptPayment(
      'site_1',
      { ...PAYMENT, amountMinor: 1n },
      claim,
    );
    assert.equal(refused.kind, 'transaction_conflict');
    assert.equal(own.ledger.findAnswer('site_1', claim), undefined);
  });

  it('are one for goals and payments, and for sixty-four at once', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 64 }, () => own.ledger.acceptKeyedGoal(GOAL, claim)),
    );
    assert.equal(outcomes.filter(({ kind }) => kind === 'recorded').length, 1);
    assert.equal(outcomes.filter(({ kind }) => kind === 'replayed').length, 63);
    const payment = await own.ledger.acceptPayment('site_1', PAYMENT, claim);
    assert.deepEqual(payment, { kind: 'replayed', answer: 'first' });
    assert.deepEqual(own.ledger.countPayments(), { payments: 0, refunds: 0 });
  });
});

describe('the ledger', () => {
  it('knows whether there was a journal before', async () => {
    assert.equal(own.ledger.registerJournal(), false);
    await own.reopen();
    assert.equal(own.ledger.registerJournal(), true);
  });

  it('is not opened when it is of another version', async () => {
    await own.ledger.close();
    const db = new DatabaseSync(own.path);
    db.exec('PRAGMA user_version = 999');
    db.close();
    assert.throws(own.open, /another version of Tributary: begin with an empty DATA_DIR/);
    rmSync(own.path);
    own.ledger = own.open();
  });

  it('refuses with an outage, not an answer, when it cannot write', async () => {
    await own.ledger.acceptPayment('site_1', PAYMENT);
    const db = new DatabaseSync(own.path);
    db.exec('ALTER TABLE payments RENAME TO hidden');
    const report = { ...PAYMENT, transactionId: 'ty' };
    await assert.rejects(own.ledger.acceptPayment('site_1', report), { name: 'UnavailableError' });
    db.exec('ALTER TABLE hidden RENAME TO payments');
    db.close();
    assert.deepEqual(await own.ledger.acceptPayment('site_1', report), { kind: 'recorded' });
  });

  it('is what ingest asks for', () => {
    const asked: IngestLedger & SiteDirectory = own.ledger;
    assert.ok(asked);
  });
});
