import type { Shipment, ShipmentSource } from '#storage/shipment.ts';
import type { Database } from '#storage/sql/sql.ts';
import { openOutbox } from './outbox.ts';
import { conversions } from './payments/convert-again.ts';
import { findPayments, LAST_VERSION } from './payments/find-payments.ts';
import { createToRows, type KnownRates } from './payments/site-money.ts';
import { personShipments } from './persons/person-shipments.ts';
import { readCounter, saveCounter } from './schema/counters.ts';

/** Payments per insert. */
const SHIPMENT_PAYMENTS = 20_000;

/** The ledger's shipment sources: payments, the outbox of events, persons, and payments to convert again. */
export async function createProjection(
  db: Database,
  rates: KnownRates,
  onTrouble: (trouble: string) => void,
) {
  const outbox = await openOutbox(db, { onTrouble });
  const payments = paymentShipments(db, rates);
  const sources = [payments, outbox, personShipments(db), conversions(db, rates)] as const;
  return { sources: sources as readonly ShipmentSource[], close: () => db.close() };
}

/**
 * Ships changed payments, by version.
 *
 * Why no token: the newest version of a row wins in the warehouse, so shipping twice is safe.
 */
function paymentShipments(db: Database, rates: KnownRates): ShipmentSource {
  return {
    async nextShipment(): Promise<Shipment | undefined> {
      const payments = await db.snapshot(async (sql) => {
        const after = await readCounter(sql, 'shipped_payments');
        return findPayments(sql, { after, upTo: LAST_VERSION }, SHIPMENT_PAYMENTS);
      });
      const last = payments.at(-1)?.version;
      if (last === undefined) return undefined;
      const rows = payments.flatMap(await createToRows(db, rates));
      const lines = Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
      return {
        table: 'payments',
        lines,
        rows: rows.length,
        hasMore: payments.length === SHIPMENT_PAYMENTS,
        confirm: () => saveCounter(db, 'shipped_payments', last),
      };
    },
  };
}
