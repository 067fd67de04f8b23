import { DatabaseSync } from 'node:sqlite';
import type { PaymentReport } from '#domain/money/payment-record.ts';
import type { PaymentOutcome } from '#domain/outcome.ts';
import { migrate } from '#storage/sql/migrate.ts';
import type { Database, Sql } from '#storage/sql/sql.ts';
import { toDatabase } from '#storage/sql/sqlite.ts';
import { createCommitEntries } from '../commit/commit-entries.ts';
import { createPaymentStore, type PaymentStore } from '../payments/payment-store.ts';
import { lockVersions } from '../schema/counters.ts';
import { LEDGER } from '../schema/schema.ts';

/** The import of a trial. */
const TRIAL_ID = 'imp_trial';

/**
 * Creates a trial on an open ledger, which it closes at its end: reports go to a copy, of which nothing is kept.
 * Transactions are copied when a report names them, into a temporary file that SQLite deletes.
 *
 * - Why a copy: a trial of the real ledger would make everybody wait until it is rolled back.
 */
export async function createTrial(ledger: Database) {
  const file = new DatabaseSync('');
  file.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF');
  const copy = toDatabase(file);
  await migrate(copy, LEDGER);
  const commitEntries = createCommitEntries(copy);

  return {
    async accept(siteId: string, reports: readonly PaymentReport[]) {
      const ids = reports.flatMap(({ transactionId, originalTransactionId: originalId }) =>
        originalId === undefined ? [transactionId] : [transactionId, originalId],
      );
      await copy.transaction((sql) => copyPayments(ledger, sql, siteId, ids));
      const entries = reports.map((report) => {
        return { kind: 'payment', siteId, report, claim: undefined, importId: TRIAL_ID } as const;
      });
      return (await commitEntries(entries)) as readonly PaymentOutcome[];
    },
    async close(): Promise<void> {
      await copy.close();
      await ledger.close();
    },
  };
}

async function copyPayments(from: Sql, to: Sql, siteId: string, ids: readonly string[]) {
  const [source, target] = [createPaymentStore(from), createPaymentStore(to)];
  const versions = await lockVersions(to, 'payments');
  await load(source, siteId, ids);
  await load(target, siteId, ids);

  async function copy(id: string): Promise<void> {
    if ((await target.findPayment(siteId, id)) ?? (await target.findRefund(siteId, id))) return;
    const refund = await source.findRefund(siteId, id);
    if (refund !== undefined) {
      await copy(refund.originalTransactionId);
      await target.saveRefund(siteId, id, refund);
    }
    const payment = await source.findPayment(siteId, id);
    if (payment !== undefined) target.savePayment(siteId, id, payment, versions.next());
  }

  for (const id of ids) await copy(id);
  await target.flush();
  await versions.save();
}

const load = (store: PaymentStore, siteId: string, ids: readonly string[]) =>
  store.load(ids.map((id) => [siteId, id] as const));
