import type { MergedRecords } from '#domain/money/merge-payment.ts';
import type { PaymentRecord, RefundRecord } from '#domain/money/payment-record.ts';
import type { Sql } from '#storage/sql/sql.ts';
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

/** The index of payments without an amount has all that were withdrawn, too. */
const UNMATCHED = 'payments INDEXED BY unmatched_refunds_by_customer';
const isIn = (table: string, id = 'transaction_id') =>
  `EXISTS (SELECT 1 FROM ${table} WHERE site_id = ?1 AND ${id} = asked.value)`;
/**
 * Of which of a site's ids (`?2`) something is recorded, and the payment that one is another name of. A row without an
 * id: the site has unmatched refunds.
 */
export const KNOWN = `
  SELECT asked.value AS id,
    (SELECT transaction_id FROM provided_ids WHERE site_id = ?1 AND id = asked.value) AS own
  FROM (SELECT value FROM json_each(?2)) AS asked
  WHERE ${isIn('payments')} OR ${isIn('refunds')} OR ${isIn('provided_ids', 'id')}
  UNION ALL SELECT DISTINCT '', site_id FROM ${UNMATCHED} WHERE site_id = ?1 AND ${IS_UNMATCHED}`;

const IS_THEIRS = 'site_id = ? AND transaction_id = ?';
const CLEARED = PERSONAL_COLUMNS.map((column) => `${column} = NULL`).join(', ');
const CARRY_ERASURE = (from: string, to: string) => `
  UPDATE ${to} SET ${CLEARED}, erased_at = ${from}.erased_at FROM ${from}
  WHERE ${to}.site_id = ? AND ${to}.transaction_id = ? AND ${from}.erased_at IS NOT NULL
    AND ${from}.site_id = ${to}.site_id AND ${from}.transaction_id = ${to}.transaction_id`;

/** What a transaction has read and saved of a site, by the ids of transactions; undefined if there is nothing. */
type SiteRecords = ReturnType<typeof createSiteRecords>;

const createSiteRecords = () => ({
  payments: new Map<string, PaymentRecord | undefined>(),
  refunds: new Map<string, RefundRecord | undefined>(),
  ownIds: new Map<string, string>(),
  hasUnmatched: undefined as boolean | undefined,
  saved: new Map<string, { readonly record: PaymentRecord; readonly version: number }>(),
});

type Found<Kind extends 'payments' | 'refunds'> = ReturnType<SiteRecords[Kind]['get']>;

/** The store of a transaction. */
export type PaymentStore = ReturnType<typeof createPaymentStore>;

/**
 * Records of payments and refunds, in one transaction. Saved payments are written together, before anything else that
 * depends on them is read, and at the latest by `flush`.
 */
export function createPaymentStore(sql: Sql) {
  const sites = new Map<string, SiteRecords>();
  const recordsOf = (siteId: string) => sites.getOrInsertComputed(siteId, createSiteRecords);

  async function load(siteId: string, ids: readonly string[]): Promise<void> {
    const site = recordsOf(siteId);
    site.hasUnmatched = false;
    for (const id of ids) {
      site.payments.set(id, undefined);
      site.refunds.set(id, undefined);
    }
    const known: string[] = [];
    for (const [id, own] of await sql.arrays(KNOWN, siteId, JSON.stringify(ids))) {
      if (id === '') site.hasUnmatched = true;
      else known.push(String(id));
      if (id !== '' && own !== null) site.ownIds.set(String(id), String(own));
    }
    if (known.length > 0) await read(siteId, known);
  }

  async function read(siteId: string, ids: readonly string[]): Promise<void> {
    const { payments, refunds } = recordsOf(siteId);
    for (const id of ids) {
      payments.set(id, undefined);
      refunds.set(id, undefined);
    }
    const isTheirs = `site_id = ?1 AND transaction_id ${
      ids.length === 1 ? '= ?2' : 'IN (SELECT value FROM json_each(?2))'
    }`;
    const given = ids.length === 1 ? String(ids[0]) : JSON.stringify(ids);
    const paid = await sql.arrays(
      `SELECT transaction_id, ${PAYMENT_RECORDS.columns} FROM payments WHERE ${isTheirs}`,
      ...[siteId, given],
    );
    for (const row of paid) payments.set(String(row[0]), PAYMENT_RECORDS.read(row, 1));
    const found = await sql.arrays(
      `SELECT ${REFUND_COLUMNS} FROM refunds WHERE ${isTheirs}`,
      ...[siteId, given],
    );
    for (const row of found) {
      const { transactionId, record } = toRecordedRefund(row);
      refunds.set(transactionId, record);
    }
  }

  /** What is known of a transaction: at once if it was read, as nearly all are. */
  function findIn<Kind extends 'payments' | 'refunds'>(
    kind: Kind,
    siteId: string,
    id: string,
  ): Found<Kind> | Promise<Found<Kind>> {
    const site = recordsOf(siteId);
    const find = () => site[kind].get(id) as Found<Kind>;
    if (site.payments.has(id) && site.refunds.has(id)) return find();
    return flush()
      .then(() => read(siteId, [id]))
      .then(find);
  }

  /** Writes saved payments. */
  async function flush(): Promise<void> {
    for (const [siteId, { saved }] of sites) {
      if (saved.size === 0) continue;
      const rows = [...saved].map(([id, { record, version }]) => {
        return [siteId, id, ...PAYMENT_RECORDS.valuesOf(record), version];
      });
      saved.clear();
      await sql.insert({ ...PAYMENT_RECORDS.insert, rows });
    }
  }

  /** Runs statements on a transaction that other rows depend on. */
  async function write(siteId: string, id: string, ...texts: readonly string[]): Promise<void> {
    await flush();
    for (const text of texts) await sql.run(text, siteId, id);
    recordsOf(siteId).payments.delete(id);
    recordsOf(siteId).refunds.delete(id);
  }

  /** Saves a payment with its version, by which the warehouse recognizes newer rows. */
  function savePayment(siteId: string, id: string, record: PaymentRecord, version: number): void {
    const site = recordsOf(siteId);
    site.payments.set(id, record);
    const isUnmatched = record.statedMinor === undefined && record.refundStatedMinor !== undefined;
    if (isUnmatched) site.hasUnmatched = true;
    site.saved.delete(id); // Rows are written in the order of their versions.
    site.saved.set(id, { record, version });
  }

  /** Saves a refund with its own id. Its payment is saved apart. */
  async function saveRefund(siteId: string, id: string, record: RefundRecord): Promise<void> {
    await flush();
    const rows = [[siteId, id, ...REFUND_RECORDS.valuesOf(record)]];
    await sql.insert({ ...REFUND_RECORDS.insert, rows });
    recordsOf(siteId).refunds.set(id, record);
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
      for (const [siteId, ids] of groupBySite(keys)) await load(siteId, [...new Set(ids)]);
    },
    /** Whether nothing is known of a loaded transaction, and no refund of its site waits for a payment. */
    isNew(siteId: string, id: string): boolean {
      const { payments, refunds, ownIds, hasUnmatched } = recordsOf(siteId);
      if (hasUnmatched !== false || ownIds.has(id)) return false;
      const isNothing = (records: SiteRecords['payments' | 'refunds']) =>
        records.has(id) && records.get(id) === undefined;
      return isNothing(payments) && isNothing(refunds);
    },
    findPayment: (siteId: string, id: string) => findIn('payments', siteId, id),
    findRefund: (siteId: string, id: string) => findIn('refunds', siteId, id),
    /** The id of the payment that a loaded id is another name of: a provider has several for the same money. */
    toOwnId: (siteId: string, id: string) => recordsOf(siteId).ownIds.get(id) ?? id,
    /** Whether the site may have refunds that match no payment. */
    async hasUnmatched(siteId: string) {
      const { hasUnmatched } = recordsOf(siteId);
      if (hasUnmatched !== undefined) return hasUnmatched;
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
      for (const { payments, refunds, saved } of sites.values()) {
        for (const records of [payments, refunds, saved]) records.clear();
      }
    },
  };
}
