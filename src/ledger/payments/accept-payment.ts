import type { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import type { Found } from '#contract/payments/payment-messages.ts';
import {
  type KnownRecords,
  type MergedRecords,
  mergePayment,
} from '#domain/money/merge-payment.ts';
import type { OptionalFacts, PaymentRecord, PaymentReport } from '#domain/money/payment-record.ts';
import type { AnyKey } from '../persons/person-book.ts';
import { toJoiningKeys } from '../persons/person-facts.ts';
import { createPersonRemaker } from '../persons/remake-person.ts';
import { createPaymentStore } from './payment-store.ts';
import { createRefundMatcher } from './refund-matcher.ts';

/** The outcome of a payment report. */
export type PaymentOutcome =
  | ({ readonly kind: 'recorded' | 'unchanged' } & Found)
  | { readonly kind: 'transaction_conflict'; readonly message: string };

const NOTHING_KNOWN: KnownRecords = {
  payment: undefined,
  refund: undefined,
  original: undefined,
  originalIsRefund: false,
  isOriginal: false,
};

/** Merges payment reports into records. Every changed payment gets the next version. */
export function createAcceptPayment(db: DatabaseSync) {
  const store = createPaymentStore(db);
  const matcher = createRefundMatcher(db);
  const readVersion = db.prepare("SELECT value FROM counters WHERE name = 'payments'");
  readVersion.setReadBigInts(true);
  const saveVersion = db.prepare("UPDATE counters SET value = ? WHERE name = 'payments'");
  let before = 0n;
  let version = 0n;

  return {
    begin() {
      before = readVersion.get()?.value as bigint;
      version = before;
    },
    end() {
      if (version !== before) saveVersion.run(version);
    },
    accept(siteId: string, report: PaymentReport): PaymentOutcome {
      const isNew = addNew(siteId, report);
      const connected = isNew ? [] : matcher.findConnected(siteId, report.transactionId);
      const outcome: PaymentOutcome = isNew ? { kind: 'recorded' } : merge(siteId, report);
      if (outcome.kind === 'recorded') rematch(siteId, report, connected);
      if (!report.refunded || outcome.kind === 'transaction_conflict') return outcome;
      return { ...outcome, ...findRefunded(siteId, report.transactionId) };
    },
  };

  /** The payment that a recorded refund takes back, unless it has the payment's own id. */
  function findRefunded(siteId: string, transactionId: string): Found {
    const originalId = store.findRefund(siteId, transactionId)?.originalTransactionId;
    if (originalId !== undefined) {
      const isKnown = store.findPayment(siteId, originalId)?.statedMinor !== undefined;
      return { refundOf: { transactionId: originalId, isKnown } };
    }
    const matchedTo = matcher.findMatch(siteId, transactionId);
    if (matchedTo !== undefined) return { matchedTo };
    const isUnmatched = store.findPayment(siteId, transactionId)?.statedMinor === undefined;
    return isUnmatched ? { isUnmatched } : {};
  }

  function merge(siteId: string, report: PaymentReport): PaymentOutcome {
    const known = findKnown(siteId, report);
    const merged = mergePayment(known, report);
    if (!merged.ok) return { kind: 'transaction_conflict', message: merged.error };
    const { payment = known.payment } = merged.value;
    const found = {
      ...(namesOtherVisitor(payment, report) && { hasOtherVisitor: true }),
      ...(payment?.isVisitorCorrected && { isVisitorCorrected: true }),
    };
    if (Object.keys(merged.value).length === 0) return { kind: 'unchanged', ...found };
    save(siteId, report, merged.value);
    splitReplaced(siteId, known.refund ?? known.payment, merged.value.refund ?? payment);
    return { kind: 'recorded', ...found };
  }

  /** Rebuilds persons that a replaced id may have joined, so that only the id that is kept joins. */
  function splitReplaced(siteId: string, before?: OptionalFacts, after?: OptionalFacts): void {
    if (before === undefined || after === undefined) return;
    const isKept = (key: AnyKey) => toKeys(after).some((each) => isDeepStrictEqual(each, key));
    for (const key of toKeys(before)) if (!isKept(key)) createPersonRemaker(db).remake(siteId, key);
  }

  /** Matches refunds again, also those `connected` to the transaction before this report. */
  function rematch(siteId: string, report: PaymentReport, connected: readonly string[]): void {
    const { transactionId, originalTransactionId } = report;
    const changed = [transactionId, originalTransactionId].filter((id) => id !== undefined);
    matcher.rematch(siteId, changed, connected, (refundId) => {
      version += 1n;
      store.touchPayment(siteId, refundId, version);
    });
  }

  /** Fast path for new payments, which are the majority: a single statement checks and inserts. */
  function addNew(siteId: string, report: PaymentReport): boolean {
    if (report.originalTransactionId !== undefined) return false;
    const merged = mergePayment(NOTHING_KNOWN, report);
    if (!merged.ok || merged.value.payment === undefined) return false;
    const isAdded = store.addPayment(
      siteId,
      report.transactionId,
      merged.value.payment,
      version + 1n,
    );
    if (isAdded) version += 1n;
    return isAdded;
  }

  function findKnown(siteId: string, report: PaymentReport): KnownRecords {
    const { transactionId: id, originalTransactionId: originalId } = report;
    const own = { payment: store.findPayment(siteId, id), refund: store.findRefund(siteId, id) };
    if (originalId === undefined) {
      return { ...own, original: undefined, originalIsRefund: false, isOriginal: false };
    }
    return {
      ...own,
      isOriginal: own.payment !== undefined && store.findRefunds(siteId, id).length > 0,
      original: store.findPayment(siteId, originalId),
      originalIsRefund: store.findRefund(siteId, originalId) !== undefined,
    };
  }

  function save(siteId: string, report: PaymentReport, merged: MergedRecords): void {
    const { transactionId: id } = report;
    const { payment, refund, original } = merged;
    const originalId = refund?.originalTransactionId;
    version += 1n;
    if (payment !== undefined) store.savePayment(siteId, id, payment, version);
    if (refund !== undefined) store.saveRefund(siteId, id, refund);
    if (merged.dropsPayment) store.dropPayment(siteId, id);
    if (originalId === undefined) return;
    if (original !== undefined) store.savePayment(siteId, originalId, original, version);
    store.touchPayment(siteId, originalId, version);
  }
}

/** Whether both name a visitor, but different ones. */
function namesOtherVisitor(
  payment: PaymentRecord | undefined,
  { visitorId }: PaymentReport,
): boolean {
  if (payment?.visitorId === undefined || visitorId === undefined) return false;
  return payment.visitorId !== visitorId;
}

/** The ids by which a payment finds its person. */
function toKeys(facts: OptionalFacts): AnyKey[] {
  const { subscriptionId: key } = facts;
  return [
    ...toJoiningKeys(facts),
    ...(key === undefined ? [] : [{ kind: 'subscription' as const, key }]),
  ];
}
