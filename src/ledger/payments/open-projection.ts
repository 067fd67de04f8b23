import type { DatabaseSync } from 'node:sqlite';
import { createQueueSource, takeRefusedBack } from '#storage/queue-source.ts';
import type { Shipment, ShipmentSource } from '#storage/shipment.ts';
import { OUTBOX } from '#storage/shipment-token.ts';
import { inSnapshot, openDatabase } from '../open-database.ts';
import { personShipments } from '../persons/person-shipments.ts';
import { createFindPayments, LAST_VERSION } from './find-payments.ts';
import { projectPayment, type RecordedPayment } from './project-payment.ts';

/** The ledger's shipment sources. */
export interface Projection {
  /** Payments, the outbox of events, and persons. */
  readonly sources: readonly ShipmentSource[];
  close(): void;
}

/** Payments per insert. */
const SHIPMENT_PAYMENTS = 20_000;

/** Opens the ledger at `path` for shipping, on its own connection. `onTrouble` is called for batches set aside. */
export function openProjection(
  path: string,
  onTrouble: (trouble: string) => void = () => {},
): Projection {
  const db = openDatabase(path, { checkpoints: false });
  return {
    sources: [paymentShipments(db), outboxShipments(db, onTrouble), personShipments(db)],
    close: () => db.close(),
  };
}

/**
 * Ships changed payments, by version.
 *
 * Why no token: the newest version of a row wins in the warehouse, so shipping twice is safe.
 */
function paymentShipments(db: DatabaseSync): ShipmentSource {
  const shipped = db.prepare("SELECT value FROM counters WHERE name = 'shipped_payments'");
  const findPayments = createFindPayments(db);
  const confirm = db.prepare("UPDATE counters SET value = ? WHERE name = 'shipped_payments'");
  shipped.setReadBigInts(true);

  function findChanged(): RecordedPayment[] {
    const after = shipped.get()?.value as bigint;
    return findPayments({ after, upTo: LAST_VERSION }, SHIPMENT_PAYMENTS);
  }

  return {
    nextShipment(): Shipment | undefined {
      const payments = inSnapshot(db, findChanged);
      const last = payments.at(-1)?.version;
      if (last === undefined) return undefined;
      const rows = payments.flatMap(projectPayment);
      const lines = Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
      return {
        table: 'payments',
        lines,
        rows: rows.length,
        hasMore: payments.length === SHIPMENT_PAYMENTS,
        confirm: () => confirm.run(last),
      };
    },
  };
}

function outboxShipments(db: DatabaseSync, onTrouble: (trouble: string) => void): ShipmentSource {
  takeRefusedBack(db);
  return createQueueSource(db, { totalKey: 0, journal: OUTBOX, onTrouble });
}
