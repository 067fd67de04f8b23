import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { ListedState } from '#contract/payments/payment-list.ts';
import type { PaymentReport } from '#domain/money/payment-record.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import { createPaymentChanges } from '#ledger/change-payment.ts';
import { createCommitEntries } from '#ledger/commit/commit-entries.ts';
import { createPaymentList } from '#ledger/payments/list-payments.ts';
import { createListPayments } from '#report/payments/list-payments.ts';
import type { Database } from '#storage/sql/sql.ts';
import { openInMemory } from '../open-in-memory.ts';

const SITE = { id: 'site_1', timezone: 'UTC', currency: 'EUR' };
/** More than one page of a filtered list looks at. */
const OTHERS = 10_500;

describe('payments in a state that the ledger knows by itself', () => {
  let db: Database;
  beforeEach(async () => {
    db = await openInMemory();
  });
  afterEach(() => db.close());

  async function report(payments: readonly (Partial<PaymentReport> & { transactionId: string })[]) {
    const defaults = { amountMinor: 1_000n, currency: 'EUR', renewal: false, refunded: false };
    await createCommitEntries(db)(
      payments.map((facts) => ({
        kind: 'payment',
        siteId: SITE.id,
        report: { ...defaults, receivedAt: DAY_MS, ...facts },
        claim: undefined,
      })),
    );
  }

  async function list(state: Exclude<ListedState, 'unattributed'>): Promise<string[]> {
    const select = () => Promise.resolve([]);
    const payments = createListPayments({ select }, createPaymentList(db));
    const { results, meta } = await payments.list({ site: SITE, filter: {}, state, limit: 10 });
    assert.deepEqual(meta, {});
    for (const each of results) assert.ok([each.state, each.status].includes(state));
    return results.map(({ transaction_id: id }) => id).toSorted();
  }

  it('are found behind any number of others', async () => {
    await report([
      { transactionId: 'unmatched', refunded: true, customerId: 'cus_2' },
      { transactionId: 'paid', customerId: 'cus_1' },
      { transactionId: 'matched', refunded: true, customerId: 'cus_1' },
      { transactionId: 'of-unknown', refunded: true, originalTransactionId: 'unknown' },
    ]);
    const others = Array.from({ length: OTHERS }, (_, index) => `other-${index}`);
    await report(others.map((transactionId) => ({ transactionId, receivedAt: 2 * DAY_MS })));
    await db.run('UPDATE payments SET voided_at = 1 WHERE transaction_id = ?', 'other-7');

    assert.deepEqual(await list('unmatched_refund'), ['unknown', 'unmatched']);
    assert.deepEqual(await list('refunded'), ['paid']);
    assert.deepEqual(await list('voided'), ['other-7']);
  });

  it('are dated by their first refund where no payment is reported, and found by it', async () => {
    const named = { refunded: true, originalTransactionId: 'named' };
    await report([
      { transactionId: 'paid', paidAt: 3 * DAY_MS },
      { transactionId: 'own', refunded: true, refundedAt: 2 * DAY_MS, receivedAt: 9 * DAY_MS },
      { transactionId: 'later', ...named, refundedAt: 5 * DAY_MS, amountMinor: 1n },
      { transactionId: 'first', ...named, amountMinor: 1n, receivedAt: 9 * DAY_MS },
    ]);
    await report([{ transactionId: 'first', ...named, refundedAt: 4 * DAY_MS, amountMinor: 1n }]);
    const ledger = createPaymentList(db);
    const listed = async (from = 0, before = 10 * DAY_MS) =>
      (await ledger.listPayments(SITE.id, {}, { limit: 9, paid: { from, before } })).map(
        ({ transactionId, position }) => [transactionId, position.paidAt / DAY_MS],
      );
    assert.deepEqual(await listed(), [
      ['named', 4],
      ['paid', 3],
      ['own', 2],
    ]);
    assert.deepEqual(await listed(4 * DAY_MS, 5 * DAY_MS), [['named', 4]]);

    const change = { by: 'key', at: 9 * DAY_MS };
    assert.ok((await createPaymentChanges(db).voidPayment(SITE.id, 'first', change)).ok);
    assert.deepEqual(await listed(5 * DAY_MS, 6 * DAY_MS), [['named', 5]]);
    await report([{ transactionId: 'named', receivedAt: 8 * DAY_MS }]);
    assert.deepEqual(await listed(8 * DAY_MS), [['named', 8]]);
  });
});
