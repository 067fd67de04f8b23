import { isDeepStrictEqual } from 'node:util';
import { type KnownRecords, mergePayment, NOTHING_KNOWN } from '#domain/money/merge-payment.ts';
import type { OptionalFacts, PaymentRecord, PaymentReport } from '#domain/money/payment-record.ts';
import type { FoundFacts, PaymentOutcome } from '#domain/outcome.ts';
import type { Sql } from '#storage/sql/sql.ts';
import { createPaymentStore, type PaymentStore } from '../payments/payment-store.ts';
import { createRefundMatcher } from '../payments/refund-matcher.ts';
import { toJoiningKeys } from '../persons/person-facts.ts';
import type { AnyKey } from '../persons/person-graph.ts';
import { createPersonRemaker } from '../persons/remake-person.ts';
import { lockVersions } from '../schema/counters.ts';

/** Merges the payment reports of a group into records, in one transaction. */
export interface AcceptPayments {
  /** Adds a payment of which nothing is known, unless it is none. Returns whether it did. */
  addNew(siteId: string, report: PaymentReport): boolean;
  accept(siteId: string, report: PaymentReport): Promise<PaymentOutcome>;
  /** The id that a transaction has here. */
  toOwnId(siteId: string, transactionId: string): string;
  /** Whether anybody has reported this transaction. A payment that only refunds name is not reported. */
  isReported(siteId: string, transactionId: string): Promise<boolean>;
  /** Writes what has changed. */
  flush(): Promise<void>;
}

/** What changes payments in a transaction. Every changed payment gets the next version. */
export async function openPayments(sql: Sql) {
  const store = createPaymentStore(sql);
  const versions = await lockVersions(sql, 'payments');
  return { store, versions, matcher: createRefundMatcher(sql, store, versions.next) };
}

/** Begins with a group of reports. */
export async function beginPayments(
  sql: Sql,
  reports: readonly (readonly [siteId: string, report: PaymentReport])[],
  opened?: Awaited<ReturnType<typeof openPayments>>,
): Promise<AcceptPayments> {
  const { store, versions, matcher } = opened ?? (await openPayments(sql));
  await store.load(
    reports.flatMap(([siteId, { transactionId, originalTransactionId: originalId }]) => [
      [siteId, transactionId] as const,
      ...(originalId === undefined ? [] : [[siteId, originalId] as const]),
    ]),
  );

  return {
    addNew(siteId, report) {
      const { transactionId: id, originalTransactionId: originalId } = report;
      if (report.refunded || originalId !== undefined || !store.isNew(siteId, id)) return false;
      const merged = mergePayment(NOTHING_KNOWN, report);
      if (!merged.ok || merged.value.payment === undefined) return false;
      store.savePayment(siteId, id, merged.value.payment, versions.next());
      return true;
    },
    async accept(siteId, given) {
      const report = withOwnIds(siteId, given);
      const outcome = await merge(siteId, report);
      if (!report.refunded || outcome.kind === 'transaction_conflict') return outcome;
      return { ...outcome, ...(await findRefunded(siteId, report.transactionId)) };
    },
    toOwnId: store.toOwnId,
    async isReported(siteId, id) {
      if ((await store.findPayment(siteId, id))?.receivedAt !== undefined) return true;
      return (await store.findRefund(siteId, id)) !== undefined;
    },
    async flush() {
      await store.flush();
      await versions.save();
    },
  };

  /** A report under the ids that a connected provider's payments have here. */
  function withOwnIds(siteId: string, report: PaymentReport): PaymentReport {
    const { transactionId: id, originalTransactionId: originalId } = report;
    const transactionId = store.toOwnId(siteId, id);
    const originalTransactionId = originalId && store.toOwnId(siteId, originalId);
    return { ...report, transactionId, originalTransactionId };
  }

  /** The payment that a recorded refund takes back, unless it has the payment's own id. */
  async function findRefunded(siteId: string, transactionId: string): Promise<FoundFacts> {
    const refund = await store.findRefund(siteId, transactionId);
    if (refund === undefined) {
      const payment = await store.findPayment(siteId, transactionId);
      const isUnmatched = payment?.statedMinor === undefined;
      return isUnmatched ? { isUnmatched } : {};
    }
    const { originalTransactionId: originalId, isMatched } = refund;
    if (isMatched) return { matchedTo: originalId };
    const original = await store.findPayment(siteId, originalId);
    const isKnown = original?.statedMinor !== undefined;
    return { refundOf: { transactionId: originalId, isKnown } };
  }

  /**
   * Merges a report with what is known. A match is a guess, which gives way to what a report says: the report's own
   * match always, and those of the payment that it names if they left too little.
   */
  async function merge(siteId: string, report: PaymentReport): Promise<PaymentOutcome> {
    const { transactionId: id, originalTransactionId: originalId } = report;
    const ids = originalId === undefined ? [id] : [id, originalId];
    const own = await filterMatched(siteId, ids);
    if (own.length === 0) {
      const outcome = await mergeKnown(siteId, report);
      if (outcome.kind === 'recorded') await matcher.match(siteId, ids);
      if (outcome.kind !== 'transaction_conflict' || originalId === undefined) return outcome;
    }
    const ofNamed = originalId === undefined ? [] : await store.findRefunds(siteId, originalId);
    const others = ofNamed.filter((refund) => refund.record.isMatched);
    const guesses = new Set([...own, ...others.map((refund) => refund.transactionId)]);
    return mergeWithout(siteId, report, guesses, ids);
  }

  async function filterMatched(siteId: string, ids: readonly string[]): Promise<string[]> {
    const matched: string[] = [];
    for (const id of ids) if ((await store.findRefund(siteId, id))?.isMatched) matched.push(id);
    return matched;
  }

  /** Merges a report without these matches. If it is recorded, they come back where they fit, or elsewhere. */
  async function mergeWithout(
    siteId: string,
    report: PaymentReport,
    guesses: ReadonlySet<string>,
    ids: readonly string[],
  ): Promise<PaymentOutcome> {
    await store.flush();
    await sql.exec('SAVEPOINT unmatched');
    const before = new Map<string, string>();
    for (const refundId of guesses) {
      const refund = await store.findRefund(siteId, refundId);
      if (refund === undefined) continue;
      before.set(refundId, refund.originalTransactionId);
      await matcher.unlink(siteId, refundId, refund);
    }
    const outcome = await mergeKnown(siteId, report);
    if (outcome.kind === 'recorded') {
      const changed = new Set([...ids, ...before.keys(), ...before.values()]);
      await matcher.match(siteId, [...changed], before);
      await store.flush();
    } else {
      await sql.exec('ROLLBACK TO unmatched');
      store.forget();
    }
    await sql.exec('RELEASE unmatched');
    return outcome;
  }

  async function mergeKnown(siteId: string, report: PaymentReport): Promise<PaymentOutcome> {
    const known = await findKnown(siteId, report);
    const merged = mergePayment(known, report);
    if (!merged.ok) return { kind: 'transaction_conflict', message: merged.error };
    const { payment = known.payment } = merged.value;
    const found = foundIn(payment, report);
    if (Object.keys(merged.value).length === 0) return { kind: 'unchanged', ...found };
    await store.saveMerged(siteId, report.transactionId, merged.value, versions.next());
    const [before, after] = [known.refund ?? known.payment, merged.value.refund ?? payment];
    if (before && after) await splitReplaced(sql, store, siteId, [before, after]);
    return { kind: 'recorded', ...found };
  }

  async function findKnown(siteId: string, report: PaymentReport): Promise<KnownRecords> {
    const { transactionId: id, originalTransactionId: originalId } = report;
    const own = {
      payment: await store.findPayment(siteId, id),
      refund: await store.findRefund(siteId, id),
    };
    if (originalId === undefined) return { ...NOTHING_KNOWN, ...own };
    return {
      ...own,
      isOriginal: own.payment !== undefined && (await store.findRefunds(siteId, id)).length > 0,
      original: await store.findPayment(siteId, originalId),
      originalIsRefund: (await store.findRefund(siteId, originalId)) !== undefined,
    };
  }
}

/** Rebuilds persons that a replaced id may have joined, so that only the ids that are kept join. */
export async function splitReplaced(
  sql: Sql,
  store: PaymentStore,
  siteId: string,
  [before, after]: readonly [OptionalFacts, OptionalFacts],
): Promise<void> {
  const isKept = (key: AnyKey) => toKeys(after).some((each) => isDeepStrictEqual(each, key));
  const replaced = toKeys(before).filter((key) => !isKept(key));
  if (replaced.length === 0) return;
  await store.flush();
  for (const key of replaced) await createPersonRemaker(sql).remake(siteId, key);
}

/** What to tell the caller about the visitor of a payment that was already recorded. */
function foundIn(payment: PaymentRecord | undefined, { visitorId }: PaymentReport): FoundFacts {
  return {
    ...(![undefined, visitorId].includes(payment?.visitorId) && { hasOtherVisitor: true }),
    ...(payment?.isVisitorCorrected && { isVisitorCorrected: true }),
  };
}

/** The ids by which a payment finds its person. */
export function toKeys(facts: OptionalFacts): AnyKey[] {
  const { subscriptionId: key } = facts;
  return [
    ...toJoiningKeys(facts),
    ...(key === undefined ? [] : [{ kind: 'subscription' as const, key }]),
  ];
}
