import type { DatabaseSync } from 'node:sqlite';
import { createFindPayments, LAST_VERSION } from './find-payments.ts';
import type { RecordedPayment } from './project-payment.ts';

/** Payments that changed lately, and where to go on. */
export type NewPayments = {
  readonly payments: readonly RecordedPayment[];
  readonly version: bigint;
  /** There were more changes than are looked at: the older ones are left out. */
  readonly isCut: boolean;
};

/** A function that finds payments that changed after a version. */
export type FindNewPayments = (after: bigint) => NewPayments;

/** So many changes are looked at: a look must not keep requests waiting. */
const CHANGES_MAX = 200n;

/** The function on a connection to the ledger. Where nothing has changed, it looks at one number. */
export function createFindNewPayments(db: DatabaseSync): FindNewPayments {
  const readVersion = db.prepare("SELECT value FROM counters WHERE name = 'payments'");
  readVersion.setReadBigInts(true);
  const findPayments = createFindPayments(db);

  return (after) => {
    const version = readVersion.get()?.value as bigint;
    if (version <= after) return { payments: [], version, isCut: false };
    const isCut = version - after > CHANGES_MAX;
    const from = isCut ? version - CHANGES_MAX : after;
    const payments = findPayments({ after: from, upTo: LAST_VERSION }, Number(CHANGES_MAX));
    return { payments, version: payments.at(-1)?.version ?? version, isCut };
  };
}
