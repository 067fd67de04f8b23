import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import type { PaymentReport } from '#domain/money/payment-record.ts';
import { openLedger, openProjection } from '#ledger/open-ledger.ts';
import { pays } from '../../money/payment-book.ts';
import { NO_RATES } from '../rates-of-test.ts';

it('a payment that turns out to be a refund leaves the ledger and the warehouse, and an erasure still holds', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-original-'));
  const path = join(folder, 'ledger.db');
  const ledger = await openLedger({ location: path });
  const projection = await openProjection(path, NO_RATES);
  const db = new DatabaseSync(path);
  const report = (facts: Partial<PaymentReport>) => ledger.acceptPayment('site_1', pays(facts));
  const refund = { transactionId: 'r', amountMinor: 30n, refunded: true, email: 'a@shop.example' };
  try {
    await report({});
    await report(refund);
    const first = await projection.sources[0]?.nextShipment();
    await first?.confirm();
    db.exec('UPDATE payments SET email = NULL, erased_at = 1');
    await report({ ...refund, originalTransactionId: 'tx' });

    const second = await projection.sources[0]?.nextShipment();
    const lines = `${second?.lines}`.trimEnd().split('\n');
    const rows = lines.map((line) => JSON.parse(line));
    assert.deepEqual(
      rows.map((row) => [row.kind, row.transaction_id, row.is_deleted]),
      [
        ['payment', 'tx', undefined],
        ['refund', 'r', undefined],
        ['payment', 'r', 1],
      ],
    );
    const found = db.prepare('SELECT email, erased_at FROM refunds').all();
    assert.deepEqual(
      found.map((row) => ({ ...row })),
      [{ email: null, erased_at: 1 }],
    );
    const counts = db
      .prepare(
        'SELECT (SELECT count(*) FROM payments) AS payments, count(*) AS refunds FROM refunds',
      )
      .get();
    assert.deepEqual({ ...counts }, { payments: 1, refunds: 1 });
  } finally {
    db.close();
    await projection.close();
    await ledger.close();
    rmSync(folder, { recursive: true });
  }
});
