import type { Shipment, ShipmentSource } from '#storage/shipment.ts';
import { conversions } from './convert-again.ts';
import { costShipments } from './costs/cost-shipments.ts';
import { openOutbox } from './outbox.ts';
import type { Owned } from './owner.ts';
import { findPayments, LAST_VERSION } from './payments/find-payments.ts';
import { createToRows, type KnownRates } from './payments/site-money.ts';
import { personShipments } from './persons/person-shipments.ts';
import { readCounter } from './schema/counters.ts';

/** Payments per insert. */
const SHIPMENT_PAYMENTS = 20_000;

/** The ledger's shipment sources: payments, the outbox of events, persons, money to convert again, and costs. */
export async function createProjection(
  owned: Owned,
  rates: KnownRates,
  onTrouble: (trouble: string) => void,
) {
  const { db, calls, close } = owned;
  const outbox = await openOutbox(db, calls, { onTrouble });
  const sources: readonly ShipmentSource[] = [
    ...[paymentShipments(owned, rates), outbox, personShipments(db, calls.saveShipped)],
    ...[conversions(db, calls.saveProjections, rates), costShipments(db, calls.saveShipped, rates)],
  ];
  return { sources, close };
}

/**
 * Ships changed payments, by version.
 *
 * Why no token: the newest version of a row wins in the warehouse, so shipping twice is safe.
 */
function paymentShipments({ db, calls }: Owned, rates: KnownRates): ShipmentSource {
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
        confirm: () => calls.saveShipped('shipped_payments', last),
      };
    },
  };
}
