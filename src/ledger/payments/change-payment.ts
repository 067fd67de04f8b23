import type { DatabaseSync } from 'node:sqlite';
import { PATTERN_RULES, VISITOR_ID_PATTERN } from '#contract/patterns.ts';
import type { PaymentRecord } from '#domain/money/payment-record.ts';
import { ok, type Result, refuse } from '#domain/result.ts';
import { toJoiningKeys } from '../persons/person-facts.ts';
import { createPersonRemaker } from '../persons/remake-person.ts';
import { createPaymentStore } from './payment-store.ts';
import { createRefundMatcher } from './refund-matcher.ts';

/** The author and time (in milliseconds) of a manual change. */
export type ChangedBy = { readonly by: string; readonly at: number };

/**
 * Manual changes of payments, which are logged. They run in the caller's transaction, after all pending facts
 * have been resolved.
 */
export interface PaymentChanges {
  /**
   * Excludes the payment and its refunds from all figures, or a refund by its own id. Refuses an unknown or voided
   * one.
   */
  voidPayment(siteId: string, transactionId: string, change: ChangedBy): Result<null, string>;
  /** Replaces the reported visitor with another one or none. Refuses an unknown or voided payment, and an invalid id. */
  correctVisitor(
    siteId: string,
    transactionId: string,
    visitorId: string | undefined,
    change: ChangedBy,
  ): Result<null, string>;
}

/** Creates the changes on a ledger connection. */
export function createPaymentChanges(db: DatabaseSync): PaymentChanges {
  const store = createPaymentStore(db);
  const { remake } = createPersonRemaker(db);
  const nextVersion = db.prepare(
    "UPDATE counters SET value = value + 1 WHERE name = 'payments' RETURNING value",
  );
  nextVersion.setReadBigInts(true);
  const note = db.prepare(`
    INSERT INTO payment_changes
      (site_id, transaction_id, change, changed_by, changed_at, before, after)
    VALUES (?, ?, ?, ?, ?, ?, ?)`);
  const version = () => nextVersion.get()?.value as bigint;
  const matcher = createRefundMatcher(db, store, version);

  /** Saves the change and rebuilds the persons that the payment and its refunds joined before or join now. */
  function save(
    siteId: string,
    transactionId: string,
    before: PaymentRecord,
    after: PaymentRecord,
  ) {
    store.savePayment(siteId, transactionId, after, version());
    matcher.match(siteId, [transactionId]);
    const refunds = store.findRefunds(siteId, transactionId).map(({ record }) => record);
    for (const key of [before, after, ...refunds].flatMap(toJoiningKeys)) remake(siteId, key);
  }

  function findToChange(siteId: string, transactionId: string): Result<PaymentRecord, string> {
    const record = store.findPayment(siteId, transactionId);
    if (record === undefined) {
      const paymentId = store.findRefund(siteId, transactionId)?.originalTransactionId;
      return refuse(
        paymentId === undefined
          ? `There is no payment ${transactionId}.`
          : `Transaction ${transactionId} is a refund of ${paymentId}.`,
      );
    }
    return record.voidedAt === undefined
      ? ok(record)
      : refuse(`Payment ${transactionId} is voided.`);
  }

  return {
    voidPayment(siteId, transactionId, { by, at }) {
      const refund = store.findRefund(siteId, transactionId);
      const paymentId = refund?.originalTransactionId ?? transactionId;
      const payment = findToChange(siteId, paymentId);
      if (!payment.ok) return payment;
      if (refund !== undefined) matcher.unlink(siteId, transactionId, refund);
      const found = findToChange(siteId, transactionId);
      if (!found.ok) return found;
      note.run(siteId, transactionId, 'void', by, at, null, null);
      save(siteId, transactionId, found.value, { ...found.value, voidedAt: at });
      if (refund !== undefined) matcher.match(siteId, [paymentId]);
      return ok(null);
    },
    correctVisitor(siteId, transactionId, visitorId, { by, at }) {
      if (visitorId !== undefined && !new RegExp(VISITOR_ID_PATTERN).test(visitorId)) {
        return refuse(`The visitor’s id ${PATTERN_RULES.get(VISITOR_ID_PATTERN)}.`);
      }
      const found = findToChange(siteId, transactionId);
      if (!found.ok) return found;
      const before = found.value.visitorId ?? null;
      note.run(siteId, transactionId, 'visitor', by, at, before, visitorId ?? null);
      const after = { ...found.value, visitorId, isVisitorCorrected: true };
      save(siteId, transactionId, found.value, after);
      return ok(null);
    },
  };
}
