import type { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import type { Found } from '#contract/payments/payment-messages.ts';
import { type KnownRecords, mergePayment, NOTHING_KNOWN } from '#domain/money/merge-payment.ts';
import type { OptionalFacts, PaymentReport } from '#domain/money/payment-record.ts';
import type { AnyKey } from '../persons/person-book.ts';
import { toJoiningKeys } from '../persons/person-facts.ts';
import { createPersonRemaker } from '../persons/remake-person.ts';
import { createPaymentStore } from './payment-store.ts';
import { createRefundMatcher } from './refund-matcher.ts';

/** The outcome of a payment report. */
export type PaymentOutcome =
  | ({ readonly kind: 'recorded' | 'unchanged' } & Found)
  | { readonly kind: 'transaction_conflict'; readonly message: string };

/** Merges payment reports into records. Every changed payment gets the next version. */
export function createAcceptPayment(db: DatabaseSync) {
  const store = createPaymentStore(db);
  const readVersion = db.prepare("SELECT value FROM counters WHERE name = 'payments'");
  readVersion.setReadBigInts(true);
  const saveVersion = db.prepare("UPDATE counters SET value = ? WHERE name = 'payments'");
  let before = 0n;
  let version = 0n;
  const nextVersion = () => {
    version += 1n;
    return version;
  };
  const matcher = createRefundMatcher(db, store, nextVersion);

  return {
    begin() {
      before = readVersion.get()?.value as bigint;
      version = before;
    },
    end() {
      if (version !== before) saveVersion.run(version);
    },
    accept(siteId: string, report: PaymentReport): PaymentOutcome {
      const outcome = addNew(siteId, report) ?? merge(siteId, report);
      if (!report.refunded || outcome.kind === 'transaction_conflict') return outcome;
      return { ...outcome, ...findRefunded(siteId, report.transactionId) };
    },
  };

  /** The payment that a recorded refund takes back, unless it has the payment's own id. */
  function findRefunded(siteId: string, transactionId: string): Found {
    const refund = store.findRefund(siteId, transactionId);
    if (refund === undefined) {
      const isUnmatched = store.findPayment(siteId, transactionId)?.statedMinor === undefined;
      return isUnmatched ? { isUnmatched } : {};
    }
    const { originalTransactionId: originalId, isMatched } = refund;
    if (isMatched) return { matchedTo: originalId };
    const isKnown = store.findPayment(siteId, originalId)?.statedMinor !== undefined;
    return { refundOf: { transactionId: originalId, isKnown } };
  }

  /**
   * Merges a report with what is known. Matched refunds are first recorded as unmatched, because the report may say what
   * they are. If it does not, they stay with their payments.
   */
  function merge(siteId: string, report: PaymentReport): PaymentOutcome {
    const { transactionId: id, originalTransactionId: originalId } = report;
    const ids = originalId === undefined ? [id] : [id, originalId];
    db.exec('SAVEPOINT unmatched');
    const paymentIds = ids.flatMap((each) => unlink(siteId, each));
    const merged = mergeKnown(siteId, report);
    const isBare = report.refunded && originalId === undefined;
    const outcome = isBare ? relink(siteId, id, paymentIds[0], merged) : merged;
    if (outcome.kind === 'recorded') matcher.match(siteId, [...ids, ...paymentIds]);
    else db.exec('ROLLBACK TO unmatched');
    db.exec('RELEASE unmatched');
    return outcome;
  }

  /** Records a matched refund as an unmatched one. Returns its payment, if it is one. */
  function unlink(siteId: string, refundId: string): string[] {
    const refund = store.findRefund(siteId, refundId);
    if (!refund?.isMatched) return [];
    matcher.unlink(siteId, refundId, refund);
    return [refund.originalTransactionId];
  }

  /** Records a refund again as one of the payment that it was matched to, if any. */
  function relink(
    siteId: string,
    refundId: string,
    paymentId: string | undefined,
    outcome: PaymentOutcome,
  ): PaymentOutcome {
    if (outcome.kind !== 'recorded' || paymentId === undefined) return outcome;
    const linked = matcher.link(siteId, refundId, paymentId);
    return linked.ok ? outcome : { kind: 'transaction_conflict', message: linked.error };
  }

  function mergeKnown(siteId: string, report: PaymentReport): PaymentOutcome {
    const known = findKnown(siteId, report);
    const merged = mergePayment(known, report);
    if (!merged.ok) return { kind: 'transaction_conflict', message: merged.error };
    const { payment = known.payment } = merged.value;
    const found = {
      ...(![undefined, report.visitorId].includes(payment?.visitorId) && { hasOtherVisitor: true }),
      ...(payment?.isVisitorCorrected && { isVisitorCorrected: true }),
    };
    if (Object.keys(merged.value).length === 0) return { kind: 'unchanged', ...found };
    store.saveMerged(siteId, report.transactionId, merged.value, nextVersion());
    splitReplaced(siteId, known.refund ?? known.payment, merged.value.refund ?? payment);
    return { kind: 'recorded', ...found };
  }

  /** Rebuilds persons that a replaced id may have joined, so that only the id that is kept joins. */
  function splitReplaced(siteId: string, before?: OptionalFacts, after?: OptionalFacts): void {
    if (before === undefined || after === undefined) return;
    const isKept = (key: AnyKey) => toKeys(after).some((each) => isDeepStrictEqual(each, key));
    for (const key of toKeys(before)) if (!isKept(key)) createPersonRemaker(db).remake(siteId, key);
  }

  /** Fast path for new payments, which are the majority: a single statement checks and inserts. */
  function addNew(siteId: string, report: PaymentReport): PaymentOutcome | undefined {
    const { transactionId: id, originalTransactionId: originalId } = report;
    const merged = originalId === undefined ? mergePayment(NOTHING_KNOWN, report) : undefined;
    const payment = merged?.ok ? merged.value.payment : undefined;
    if (payment === undefined || !store.addPayment(siteId, id, payment, version + 1n)) return;
    version += 1n;
    matcher.match(siteId, [id]);
    return { kind: 'recorded' };
  }

  function findKnown(siteId: string, report: PaymentReport): KnownRecords {
    const { transactionId: id, originalTransactionId: originalId } = report;
    const own = { payment: store.findPayment(siteId, id), refund: store.findRefund(siteId, id) };
    if (originalId === undefined) return { ...NOTHING_KNOWN, ...own };
    return {
      ...own,
      isOriginal: own.payment !== undefined && store.findRefunds(siteId, id).length > 0,
      original: store.findPayment(siteId, originalId),
      originalIsRefund: store.findRefund(siteId, originalId) !== undefined,
    };
  }
}

/** The ids by which a payment finds its person. */
function toKeys(facts: OptionalFacts): AnyKey[] {
  const { subscriptionId: key } = facts;
  return [
    ...toJoiningKeys(facts),
    ...(key === undefined ? [] : [{ kind: 'subscription' as const, key }]),
  ];
}
