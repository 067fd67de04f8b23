import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import type { PaymentReport } from '#domain/money/payment-record.ts';
import type { IngestLedger, SiteDirectory } from '#ingest/ports.ts';
import { TRANSACTIONS_OF } from '#ledger/erasure/erase-person.ts';
import { openLedger } from '#ledger/open-ledger.ts';
import { VISITORS_OF } from '#ledger/payments/list-payments.ts';
import { KNOWN } from '#ledger/payments/payment-store.ts';
import { makeLedgerForEachTest } from './ledger-of-test.ts';
import { openInMemory } from './open-in-memory.ts';

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

it('whether a site has unmatched refunds is known without what was withdrawn', async () => {
  const db = await openInMemory();
  const plan = await db.all(`EXPLAIN QUERY PLAN ${KNOWN}`, 'site_1', '[]');
  const reads = plan.map(({ detail }) => String(detail)).filter((step) => /unmatched/.test(step));
  assert.deepEqual(reads, [
    'SEARCH payments USING INDEX unmatched_refunds_by_customer (site_id=?)',
  ]);
});

/** On a ledger of half a million payments, a plan that begins at the wrong end held requests for seconds. */
const READS = [
  ['the visitors of payments', VISITORS_OF, 3],
  ['the payments of a person', TRANSACTIONS_OF, 5],
] as const;

for (const [name, text, values] of READS) {
  it(`${name} are found by what is asked for, in SQLite too`, async () => {
    const db = await openInMemory();
    const given = ['site_1', ...Array<string>(values - 1).fill('[]')];
    const plan = await db.all(`EXPLAIN QUERY PLAN ${text}`, ...given);
    const steps = plan.map(({ detail }) => String(detail));
    const reads = steps.filter((step) =>
      /^(SCAN|SEARCH) (payments|person_keys|other)\b/.test(step),
    );
    assert.ok(reads.length >= values - 1);
    const isFound = (step: string) =>
      /\b(key|person|visitor_id|customer_id|email|transaction_id)=\?/.test(step);
    assert.deepEqual(
      reads.filter((step) => !isFound(step)),
      [],
    );
  });
}
