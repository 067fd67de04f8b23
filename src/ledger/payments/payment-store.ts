import type { MergedRecords } from '#domain/money/merge-payment.ts';
import type { PaymentRecord, RefundRecord } from '#domain/money/payment-record.ts';
import type { Sql, SqlValue } from '#storage/sql/sql.ts';
import { groupBySite } from '../schema/group-by-site.ts';
import { IS_UNMATCHED, REFUND_AT } from '../schema/schema.ts';
import {
  PAYMENT_RECORDS,
  PERSONAL_COLUMNS,
  REFUND_COLUMNS,
  REFUND_RECORDS,
  toRecordedRefund,
} from './payment-columns.ts';

type TransactionKey = readonly [siteId: string, transactionId: string];

type Values = readonly SqlValue[];

/** The index of payments without an amount has all that were withdrawn, too. */
const UNMATCHED = 'payments INDEXED BY unmatched_refunds_by_customer';
/** Which sites (`?1`) have unmatched refunds, and which ids (`?2`) are other names of payments. */
export const UNMATCHED_AND_OWN = `
  SELECT DISTINCT site_id, '' AS id, '' AS own FROM ${UNMATCHED}
  WHERE site_id IN (SELECT value FROM json_each(?1)) AND ${IS_UNMATCHED}
  UNION ALL SELECT site_id, id, transaction_id FROM provided_ids
  WHERE site_id IN (SELECT value FROM json_each(?1)) AND id IN (SELECT value FROM json_each(?2))`;

const IS_THEIRS = 'site_id = ? AND transaction_id = ?';
const CLEARED = PERSONAL_COLUMNS.map((column) => `${column} = NULL`).join(', ');
const CARRY_ERASURE = (from: string, to: string) => `
  UPDATE ${to} SET ${CLEARED}, erased_at = ${from}.erased_at FROM ${from}
  WHERE ${to}.site_id = ? AND ${to}.transaction_id = ? AND ${from}.erased_at IS NOT NULL
    AND ${from}.site_id = ${to}.site_id AND ${from}.transaction_id = ${to}.transaction_id`;

/** The store of a transaction. */
export type PaymentStore = ReturnType<typeof createPaymentStore>;

/**
 * Records of payments and refunds, in one transaction. Saved payments are written together, before anything else that
 * depends on them is read, and at the latest by `flush`.
 */
export function createPaymentStore(sql: Sql) {
  const payments = new Map<string, PaymentRecord | undefined>();
  const refunds = new Map<string, RefundRecord | undefined>();
  const unmatched = new Map<string, boolean>();
  const ownIds = new Map<string, string>();
  let saved = new Map<string, Values>();
  const nameOf = (siteId: string, id: string) => `${siteId} ${id}`;

  async function read(siteId: string, ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      payments.set(nameOf(siteId, id), undefined);
      refunds.set(nameOf(siteId, id), undefined);
    }
    const isTheirs = `site_id = ?1 AND transaction_id ${
      ids.length === 1 ? '= ?2' : 'IN (SELECT value FROM json_each(?2))'
    }`;
    const given = ids.length === 1 ? String(ids[0]) : JSON.stringify(ids);
    const paid = await sql.arrays(
      `SELECT transaction_id, ${PAYMENT_RECORDS.columns} FROM payments WHERE ${isTheirs}`,
      ...[siteId, given],
    );
    for (const row of paid)
      payments.set(nameOf(siteId, String(row[0])), PAYMENT_RECORDS.read(row, 1));
    const found = await sql.arrays(
      `SELECT ${REFUND_COLUMNS} FROM refunds WHERE ${isTheirs}`,
      ...[siteId, given],
    );
    for (const row of found) {
      const { transactionId, record } = toRecordedRefund(row);
      refunds.set(nameOf(siteId, transactionId), record);
    }
  }

  /** What is known of a transaction: at once if it was read, as nearly all are. */
  function findIn<T>(
    known: Map<string, T>,
    siteId: string,
    id: string,
  ): T | Promise<T | undefined> | undefined {
    const name = nameOf(siteId, id);
    if (payments.has(name) && refunds.has(name)) return known.get(name);
    return flush()
      .then(() => read(siteId, [id]))
      .then(() => known.get(name));
  }

  /** Writes saved payments. */
  async function flush(): Promise<void> {
    const rows = [...saved.values()];
    saved = new Map();
    if (rows.length > 0) await sql.insert({ ...PAYMENT_RECORDS.insert, rows });
  }

  /** Runs statements on a transaction that other rows depend on. */
  async function write(siteId: string, id: string, ...texts: readonly string[]): Promise<void> {
    await flush();
    for (const text of texts) await sql.run(text, siteId, id);
    payments.delete(nameOf(siteId, id));
    refunds.delete(nameOf(siteId, id));
  }

  /** Saves a payment with its version, by which the warehouse recognizes newer rows. */
  function savePayment(siteId: string, id: string, record: PaymentRecord, version: number): void {
    payments.set(nameOf(siteId, id), record);
    const isUnmatched = record.statedMinor === undefined && record.refundStatedMinor !== undefined;
    if (isUnmatched) unmatched.set(siteId, true);
    const name = nameOf(siteId, id);
    saved.delete(name);
    saved.set(name, [siteId, id, ...PAYMENT_RECORDS.valuesOf(record), version]);
  }

  /** Saves a refund with its own id. Its payment is saved apart. */
  async function saveRefund(siteId: string, id: string, record: RefundRecord): Promise<void> {
    await flush();
    const rows = [[siteId, id, ...REFUND_RECORDS.valuesOf(record)]];
    await sql.insert({ ...REFUND_RECORDS.insert, rows });
    refunds.set(nameOf(siteId, id), record);
  }

  /** Gives a payment a new version, because its refunds have changed. */
  async function touchPayment(siteId: string, id: string, version: number): Promise<void> {
    await flush();
    await sql.run(
      `UPDATE payments SET version = ?, first_refund_at = (
         SELECT min(${REFUND_AT}) FROM refunds WHERE refunds.site_id = payments.site_id
           AND original_transaction_id = payments.transaction_id)
       WHERE ${IS_THEIRS}`,
      ...[version, siteId, id],
    );
  }

  return {
    /** Reads all records of these transactions at once. Others are read one by one when they are looked for. */
    async load(keys: readonly TransactionKey[]): Promise<void> {
      const bySite = groupBySite(keys);
      for (const [siteId, ids] of bySite) await read(siteId, [...new Set(ids)]);
      const sites = JSON.stringify(bySite.map(([siteId]) => siteId));
      for (const [siteId] of bySite) unmatched.set(siteId, false);
      const found = await sql.arrays(
        UNMATCHED_AND_OWN,
        ...[sites, JSON.stringify([...new Set(keys.map(([, id]) => id))])],
      );
      for (const [siteId, id, own] of found) {
        if (id === '') unmatched.set(String(siteId), true);
        else ownIds.set(nameOf(String(siteId), String(id)), String(own));
      }
    },
    findPayment: (siteId: string, id: string) => findIn(payments, siteId, id),
    findRefund: (siteId: string, id: string) => findIn(refunds, siteId, id),
    /** The id of the payment that a loaded id is another name of: a provider has several for the same money. */
    toOwnId: (siteId: string, id: string) => ownIds.get(nameOf(siteId, id)) ?? id,
    /** Whether the site may have refunds that match no payment. */
    async hasUnmatched(siteId: string) {
      const known = unmatched.get(siteId);
      if (known !== undefined) return known;
      await flush();
      const any = `SELECT 1 AS found FROM ${UNMATCHED} WHERE site_id = ? AND ${IS_UNMATCHED} LIMIT 1`;
      return (await sql.get(any, siteId)) !== undefined;
    },
    savePayment,
    /** Saves what a report under this id has changed. */
    async saveMerged(siteId: string, id: string, merged: MergedRecords, version: number) {
      const { payment, refund, original, dropsPayment } = merged;
      if (payment !== undefined) savePayment(siteId, id, payment, version);
      if (refund === undefined) return;
      await saveRefund(siteId, id, refund);
      if (dropsPayment) {
        const markDropped = `UPDATE refunds SET was_payment = 1 WHERE ${IS_THEIRS}`;
        const drop = `DELETE FROM payments WHERE ${IS_THEIRS}`;
        await write(siteId, id, CARRY_ERASURE('payments', 'refunds'), markDropped, drop);
      }
      const { originalTransactionId: originalId } = refund;
      if (original !== undefined) savePayment(siteId, originalId, original, version);
      await touchPayment(siteId, originalId, version);
    },
    /** The refunds with their own ids that name this payment, in the order of recording. */
    async findRefunds(siteId: string, paymentId: string) {
      const rows = await sql.arrays(
        `SELECT ${REFUND_COLUMNS} FROM refunds
         WHERE site_id = ? AND original_transaction_id = ? ORDER BY id`,
        ...[siteId, paymentId],
      );
      return rows.map((row) => toRecordedRefund(row));
    },
    saveRefund,
    /** Deletes a refund that is now saved as a payment with the same id. Carries an erasure over. */
    dropRefund: (siteId: string, id: string) =>
      write(
        ...([siteId, id, CARRY_ERASURE('refunds', 'payments')] as const),
        `DELETE FROM refunds WHERE ${IS_THEIRS}`,
      ),
    touchPayment,
    flush,
    /** Forgets what was read and saved since the last `flush`: the transaction was rolled back to there. */
    forget() {
      payments.clear();
      refunds.clear();
      saved = new Map();
    },
  };
}
