import { fillFacts, unlessEmpty } from '#domain/money/merge-payment.ts';
import { type PaymentRecord, unreportedPayment } from '#domain/money/payment-record.ts';
import {
  type ProvidedGroup,
  type ProvidedPayment,
  type ProvidedRefund,
  toProvidedRecord,
} from '#domain/money/provided-payment.ts';
import type { Sql } from '#storage/sql/sql.ts';
import { beginPayments, openPayments, splitReplaced } from './accept-payment.ts';
import { noteReported } from './imported-payments.ts';

/**
 * Begins with groups of a site, which name these ids.
 *
 * - Why records are replaced, and not merged as reports are: what a provider states is derived from all of its events.
 *   An event that comes late may show that two payments are one, or that a charge is no renewal.
 */
export async function beginProvided(sql: Sql, siteId: string, ids: readonly string[], at: number) {
  const opened = await openPayments(sql);
  const { store, versions, matcher } = opened;
  const reports = await beginPayments(sql, [], opened);
  const provided: string[] = [];
  await store.load([...new Set(ids)].map((id) => [siteId, id] as const));

  function save(id: string, record: PaymentRecord): void {
    store.savePayment(siteId, id, record, versions.next());
  }

  /** Adds to the refunds with other ids that a payment has. */
  async function addRefunds(id: string, amountMinor: bigint): Promise<void> {
    const payment = await store.findPayment(siteId, id);
    if (payment === undefined) return;
    save(id, { ...payment, otherRefundsMinor: payment.otherRefundsMinor + amountMinor });
    await store.touchPayment(siteId, id, versions.next());
  }

  async function withdrawRefund(id: string): Promise<void> {
    const refund = await store.findRefund(siteId, id);
    if (refund === undefined || refund.withdrawnAt !== undefined) return;
    await store.saveRefund(siteId, id, { ...refund, amountMinor: 0n, withdrawnAt: at });
    await addRefunds(refund.originalTransactionId, -refund.amountMinor);
  }

  /** Records of other ids that are the same money: of the provider, or reported by the shop's own code. */
  async function findOthers({ ids, before, after }: ProvidedGroup) {
    const [target] = after;
    const others: Other[] = [];
    for (const id of ids) {
      if (target === undefined || after.some(({ transactionId }) => transactionId === id)) continue;
      const record = unlessEmpty(await store.findPayment(siteId, id));
      if (record === undefined || record.voidedAt !== undefined) continue;
      const wasStated = before.some(({ transactionId }) => transactionId === id);
      const isSame =
        record.currency === target.currency &&
        [undefined, target.amountMinor].includes(record.statedMinor);
      if (wasStated || isSame) others.push([id, record]);
    }
    return others;
  }

  /** Empties the record of a payment that is another one. Its refunds with other ids move. */
  async function moveTo(target: string, id: string, record: PaymentRecord): Promise<void> {
    for (const { transactionId, record: refund } of await store.findRefunds(siteId, id)) {
      const moved = { ...refund, originalTransactionId: target };
      await store.saveRefund(siteId, transactionId, moved);
      await addRefunds(target, refund.amountMinor);
    }
    const emptied = { ...unreportedPayment(''), sameAs: target };
    save(id, emptied);
    await splitReplaced(sql, store, siteId, [record, emptied]);
  }

  /** Returns why it is not recorded, if it is not. */
  async function savePayment(
    stated: ProvidedPayment,
    others: readonly Other[],
  ): Promise<string | undefined> {
    const { transactionId: id } = stated;
    if ((await store.findRefund(siteId, id)) !== undefined) {
      return `Transaction ${id} is recorded as a refund.`;
    }
    const recorded = await store.findPayment(siteId, id);
    if (stated.amountMinor === undefined) return undefined;
    const found = toProvidedRecord(recorded, stated, at);
    if (!found.ok) return found.error;
    let record = found.value;
    for (const [, other] of others) record = { ...record, ...fillFacts(record, other) };
    save(id, record);
    if (recorded !== undefined) await splitReplaced(sql, store, siteId, [recorded, record]);
    return undefined;
  }

  async function saveRefund(of: ProvidedPayment, stated: ProvidedRefund): Promise<string[]> {
    const { transactionId: id, amountMinor, refundedAt, isDispute, isWithdrawn } = stated;
    const known = await store.findRefund(siteId, id);
    if (isWithdrawn) {
      await withdrawRefund(id);
      return [];
    }
    const originalTransactionId = of.transactionId;
    if (known?.withdrawnAt === undefined) {
      const { currency } = of;
      const refund = { transactionId: id, originalTransactionId, amountMinor, currency };
      const more = { renewal: false, refunded: true, refundedAt, receivedAt: at };
      const outcome = await reports.accept(siteId, { ...refund, ...more });
      if (outcome.kind === 'transaction_conflict') return [outcome.message];
    }
    const record = await store.findRefund(siteId, id);
    if (record === undefined) return [];
    const isNew = record.withdrawnAt !== undefined;
    const stands = { originalTransactionId, amountMinor, refundedAt, withdrawnAt: undefined };
    if (!isNew && record.isDispute === isDispute) return [];
    await store.saveRefund(siteId, id, { ...record, ...stands, isDispute });
    await addRefunds(originalTransactionId, isNew ? amountMinor : 0n);
    return [];
  }

  async function withdrawChanged({ before, after }: ProvidedGroup): Promise<void> {
    const kept = refundsOf(after);
    for (const [id, refund] of refundsOf(before)) {
      if (!isSame(refund, kept.get(id))) await withdrawRefund(id);
    }
  }

  /** Saves a payment with its refunds. Returns what could not be recorded. */
  async function saveStated(stated: ProvidedPayment, others: readonly Other[]): Promise<string[]> {
    const recorded = await store.findPayment(siteId, stated.transactionId);
    if (recorded?.voidedAt !== undefined) return []; // Somebody knows better.
    const fault = await savePayment(stated, others);
    if (fault !== undefined) return [fault];
    for (const [id, record] of others) await moveTo(stated.transactionId, id, record);
    const faults: string[] = [];
    for (const refund of stated.refunds) faults.push(...(await saveRefund(stated, refund)));
    return faults;
  }

  return {
    /** Replaces what was stated before. Returns what could not be recorded, in sentences. */
    async provide(group: ProvidedGroup): Promise<readonly string[]> {
      await withdrawChanged(group);
      const others = await findOthers(group);
      const faults: string[] = [];
      for (const [index, stated] of group.after.entries()) {
        faults.push(...(await saveStated(stated, index === 0 ? others : [])));
      }
      const ids = group.after.map(({ transactionId }) => transactionId);
      await matcher.match(siteId, ids);
      if (faults.length === 0)
        provided.push(...group.ids, ...ids, ...refundsOf(group.after).keys());
      return faults;
    },
    async flush() {
      await reports.flush();
      await noteReported(sql, siteId, provided, 'provider');
    },
  };
}

/** A record of the same money under another id. */
type Other = readonly [id: string, record: PaymentRecord];

type Stated = readonly [payment: string, ProvidedRefund];

function refundsOf(payments: readonly ProvidedPayment[]): Map<string, Stated> {
  return new Map(
    payments.flatMap(({ transactionId, refunds }) =>
      refunds.map((refund) => [refund.transactionId, [transactionId, refund]] as const),
    ),
  );
}

function isSame([of, refund]: Stated, other: Stated | undefined): boolean {
  if (other === undefined) return false;
  const [otherOf, { amountMinor, refundedAt, isWithdrawn }] = other;
  return (
    of === otherOf &&
    refund.amountMinor === amountMinor &&
    refund.refundedAt === refundedAt &&
    refund.isWithdrawn === isWithdrawn
  );
}
