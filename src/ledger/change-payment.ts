import { PATTERN_RULES, VISITOR_ID_PATTERN } from '#contract/patterns.ts';
import type { ChangedBy } from '#domain/money/known-payment.ts';
import type { PaymentRecord } from '#domain/money/payment-record.ts';
import { ok, type Result, refuse } from '#domain/result.ts';
import type { Sql } from '#storage/sql/sql.ts';
import { createPaymentStore } from './payments/payment-store.ts';
import { createRefundMatcher, type RefundMatcher } from './payments/refund-matcher.ts';
import { toJoiningKeys } from './persons/person-facts.ts';
import { createPersonRemaker } from './persons/remake-person.ts';
import { lockVersions } from './schema/counters.ts';

/** Creates the changes for a transaction. */
export function createPaymentChanges(sql: Sql) {
  const store = createPaymentStore(sql);
  const { remake } = createPersonRemaker(sql);

  /** Runs a change with the next versions, which other writers wait for. */
  async function change<T>(work: (matcher: RefundMatcher, version: () => number) => Promise<T>) {
    const versions = await lockVersions(sql, 'payments');
    const answer = await work(createRefundMatcher(sql, store, versions.next), versions.next);
    await store.flush();
    await versions.save();
    return answer;
  }

  function note(
    siteId: string,
    transactionId: string,
    { by, at }: ChangedBy,
    [what, before, after]: readonly [string, (string | null)?, (string | null)?],
  ): Promise<number> {
    return sql.run(
      `INSERT INTO payment_changes
         (site_id, transaction_id, change, changed_by, changed_at, before, after)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      ...[siteId, transactionId, what, by, at, before ?? null, after ?? null],
    );
  }

  /** Rebuilds the persons that the payment and its refunds joined before or join now. */
  async function remakePersons(
    siteId: string,
    transactionId: string,
    ...records: readonly PaymentRecord[]
  ): Promise<void> {
    await store.flush();
    const refunds = (await store.findRefunds(siteId, transactionId)).map(({ record }) => record);
    for (const key of [...records, ...refunds].flatMap(toJoiningKeys)) await remake(siteId, key);
  }

  async function findToChange(
    siteId: string,
    transactionId: string,
  ): Promise<Result<PaymentRecord, string>> {
    const record = await store.findPayment(siteId, transactionId);
    if (record === undefined) {
      const refund = await store.findRefund(siteId, transactionId);
      const paymentId = refund?.originalTransactionId;
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
    voidPayment: (siteId: string, transactionId: string, changed: ChangedBy) =>
      change(async (matcher, version): Promise<Result<null, string>> => {
        const refund = await store.findRefund(siteId, transactionId);
        const paymentId = refund?.originalTransactionId ?? transactionId;
        const payment = await findToChange(siteId, paymentId);
        if (!payment.ok) return payment;
        if (refund !== undefined) await matcher.unlink(siteId, transactionId, refund);
        const found = await findToChange(siteId, transactionId);
        if (!found.ok) return found;
        const { value: before } = found;
        await note(siteId, transactionId, changed, ['void']);
        const after = { ...before, voidedAt: changed.at };
        store.savePayment(siteId, transactionId, after, version());
        await matcher.match(siteId, [transactionId]);
        await remakePersons(siteId, transactionId, before, after);
        if (refund !== undefined) await matcher.match(siteId, [paymentId]);
        return ok(null);
      }),
    correctVisitor: (
      siteId: string,
      transactionId: string,
      visitorId: string | undefined,
      changed: ChangedBy,
    ) =>
      change(async (matcher, version): Promise<Result<null, string>> => {
        if (visitorId !== undefined && !new RegExp(VISITOR_ID_PATTERN).test(visitorId)) {
          return refuse(`The visitor’s id ${PATTERN_RULES.get(VISITOR_ID_PATTERN)}.`);
        }
        const found = await findToChange(siteId, transactionId);
        if (!found.ok) return found;
        const { value: before } = found;
        const names = [before.visitorId ?? null, visitorId ?? null] as const;
        await note(siteId, transactionId, changed, ['visitor', ...names]);
        const after = { ...before, visitorId, isVisitorCorrected: true };
        store.savePayment(siteId, transactionId, after, version());
        await matcher.match(siteId, [transactionId]);
        await remakePersons(siteId, transactionId, before, after);
        return ok(null);
      }),
  };
}
