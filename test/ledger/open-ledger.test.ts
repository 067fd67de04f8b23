import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
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

describe('payments of the ledger', () => {
  it('count once when two processes report them concurrently', async () => {
    const elsewhere = await own.open();
    const outcomes = await Promise.all([
      own.ledger.acceptPayment('site_1', PAYMENT),
      elsewhere.acceptPayment('site_1', PAYMENT),
    ]);
    assert.deepEqual(outcomes.map(({ kind }) => kind).toSorted(), ['recorded', 'unchanged']);
    await elsewhere.close();
  });

  it('notify the shipper only of new data', async () => {
    let told = 0;
    const other = await openLedger({ location: own.path, onRecorded: () => (told += 1) });
    await other.acceptPayment('site_1', PAYMENT);
    await other.acceptPayment('site_1', PAYMENT);
    await other.acceptPayment('site_1', { ...PAYMENT, currency: 'USD' });
    assert.equal(told, 1);
    await other.close();
  });
});

describe('the ledger', () => {
  it('knows whether a journal existed before', async () => {
    assert.equal(await own.ledger.registerJournal(), false);
    await own.reopen();
    assert.equal(await own.ledger.registerJournal(), true);
  });

  it('refuses a file of another version', async () => {
    await own.ledger.close();
    const db = new DatabaseSync(own.path);
    db.exec('PRAGMA user_version = 999');
    db.close();
    await assert.rejects(own.open, /Version 999 .* run the newer program, or restore a backup/);
    rmSync(own.path);
    own.ledger = await own.open();
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
