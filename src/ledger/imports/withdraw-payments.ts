import { unlessEmpty } from '#domain/money/merge-payment.ts';
import { unreportedPayment } from '#domain/money/payment-record.ts';
import type { Sql } from '#storage/sql/sql.ts';
import { openPayments, toKeys } from '../commit/accept-payment.ts';
import type { AnyKey } from '../persons/person-graph.ts';
import { createPersonRemaker } from '../persons/remake-person.ts';
import { readCounter, saveCounter } from '../schema/counters.ts';

/**
 * Takes back all that was reported under these transaction ids, in the caller's transaction. What other reports said of
 * them stays: a refund with its own id is then one of a payment that nobody has reported yet.
 *
 * - Why records are emptied and not deleted: the warehouse deletes their rows by a newer version.
 */
export async function withdrawPayments(
  sql: Sql,
  siteId: string,
  ids: readonly string[],
): Promise<void> {
  const { store, versions, matcher } = await openPayments(sql);
  const isResolved = (await readCounter(sql, 'resolved_payments')) === versions.last();
  await store.load(ids.map((id) => [siteId, id] as const));
  const keys = new Map<string, AnyKey>();
  const loose = new Set<string>(); // Transactions that may be matched anew.

  async function unlink(id: string): Promise<void> {
    const refund = await store.findRefund(siteId, id);
    if (refund === undefined) return;
    await matcher.unlink(siteId, id, refund);
    loose.add(refund.originalTransactionId);
  }

  async function withdraw(id: string): Promise<void> {
    await unlink(id);
    const record = unlessEmpty(await store.findPayment(siteId, id));
    if (record === undefined) return;
    for (const key of toKeys(record)) keys.set(`${key.kind} ${key.key}`, key);
    const refunds = record.otherRefundsMinor > 0n ? await store.findRefunds(siteId, id) : [];
    for (const { transactionId, record: refund } of refunds) {
      if (!refund.isMatched) continue;
      await unlink(transactionId);
      loose.add(transactionId);
    }
    const isNamed = refunds.some((refund) => !refund.record.isMatched);
    const { otherRefundsMinor = 0n } = (await store.findPayment(siteId, id)) ?? {};
    const named = { ...unreportedPayment(record.currency), otherRefundsMinor };
    store.savePayment(siteId, id, isNamed ? named : unreportedPayment(''), versions.next());
  }

  for (const id of ids) await withdraw(id);
  await store.flush();
  await createPersonRemaker(sql).remake(siteId, ...keys.values());
  const withdrawn = versions.last();
  await matcher.match(siteId, [...loose]);
  await store.flush();
  await versions.save();
  // Persons know all of it already, unless a refund was matched to another payment.
  if (isResolved && versions.last() === withdrawn) {
    await saveCounter(sql, 'resolved_payments', withdrawn);
  }
}
