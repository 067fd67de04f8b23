import type { DatabaseSync } from 'node:sqlite';
import { type BatchSize, chooseOldest, SHIPMENT_LIMITS } from '#storage/choose-oldest.ts';
import { inTransaction } from '#storage/durable-database.ts';
import {
  type Batch,
  createRefusalSearch,
  isSound,
  takeRefusedBack,
} from '#storage/refused-batches.ts';
import type { Shipment, ShipmentSource } from '#storage/shipment.ts';
import { toOutboxToken } from '#storage/shipment-token.ts';
import { createFindPayments, LAST_VERSION } from './find-payments.ts';
import { inSnapshot, openDatabase } from './open-database.ts';
import { personShipments } from './persons/person-shipments.ts';
import { projectPayment, type RecordedPayment } from './project-payment.ts';

/** What the ledger has for the warehouse, for one shipper of all. */
export interface Projection {
  /** Payments, events that were recorded here because they count once, and persons. */
  readonly sources: readonly ShipmentSource[];
  /** What is yet to be shipped, and outbox batches set aside because they were damaged. */
  backlog(): { readonly payments: number; readonly events: number; readonly damaged: number };
  /** Ships every payment and person again, as for a new warehouse. */
  restart(): void;
  close(): void;
}

/** One insert's worth. */
const SHIPMENT_PAYMENTS = 20_000;

/** Opens the ledger at `path` for shipping, on a connection of its own. */
export function openProjection(path: string): Projection {
  const db = openDatabase(path, { checkpoints: false });
  const pendingPayments = db.prepare(`
    SELECT count(*) AS payments FROM payments
    WHERE version > (SELECT value FROM counters WHERE name = 'shipped_payments')`);
  const pendingEvents = db.prepare(`
    SELECT coalesce(sum(rows), 0) AS events, (SELECT count(*) FROM damaged_outbox) AS damaged
    FROM outbox`);
  return {
    sources: [paymentShipments(db), outboxShipments(db), personShipments(db)],
    backlog: () => ({
      payments: Number(pendingPayments.get()?.payments),
      events: Number(pendingEvents.get()?.events),
      damaged: Number(pendingEvents.get()?.damaged),
    }),
    restart: () =>
      db.exec(
        "UPDATE counters SET value = 0 WHERE name IN ('shipped_payments', 'shipped_persons')",
      ),
    close: () => db.close(),
  };
}

/**
 * Payments that changed since they were shipped, by version.
 *
 * Why no token: the newest version of a row wins in the warehouse, so that shipping twice is safe.
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

/**
 * Batches of the outbox, in shipments whose bounds are on disk before they leave: after a crash the
 * same shipment is sent with the same token, and inserts nothing twice.
 */
function outboxShipments(db: DatabaseSync): ShipmentSource {
  const underWay = db.prepare('SELECT first_seq, last_seq FROM outbox_shipment');
  const sizes = db.prepare('SELECT seq, rows, length(lines) AS size FROM outbox ORDER BY seq');
  const begin = db.prepare('INSERT INTO outbox_shipment VALUES (1, ?, ?)');
  const batches = db.prepare('SELECT * FROM outbox WHERE seq BETWEEN ? AND ? ORDER BY seq');
  const later = db.prepare('SELECT 1 FROM outbox WHERE seq > ? LIMIT 1');
  const setAside = db.prepare(
    'INSERT OR IGNORE INTO damaged_outbox SELECT * FROM outbox WHERE seq = ?',
  );
  const remove = db.prepare('DELETE FROM outbox WHERE seq BETWEEN ? AND ?');
  const end = db.prepare('DELETE FROM outbox_shipment');
  const count = db.prepare(
    "UPDATE counters SET value = value + ? WHERE name = 'shipped_outbox_rows'",
  );
  const shrink = db.prepare(`
    UPDATE counters SET value = iif(EXISTS (SELECT 1 FROM outbox), value - ?, 0)
    WHERE name = 'outbox_bytes'`);

  const inDoubtUpTo = Number(underWay.get()?.last_seq ?? 0);
  const narrow = db.prepare('UPDATE outbox_shipment SET last_seq = ?');
  const grow = db.prepare("UPDATE counters SET value = value + ? WHERE name = 'outbox_bytes'");
  const refusals = createRefusalSearch();
  takeRefusedBack(db, { batches: 'outbox', damaged: 'damaged_outbox' }, ({ lines }) =>
    grow.run(lines.length),
  );

  function refuse(all: readonly Batch[]): void {
    const verdict = refusals.judge(all.map(({ seq }) => seq));
    if (verdict.kind === 'ship_up_to') narrow.run(verdict.seq);
    if (verdict.kind !== 'set_aside') return;
    inTransaction(db, () => {
      setAside.run(verdict.seq);
      remove.run(verdict.seq, verdict.seq);
      end.run();
      shrink.run(sizeOf(all));
    });
  }

  function findBounds(): readonly [number, number] | undefined {
    const started = underWay.get();
    if (started !== undefined) return [Number(started.first_seq), Number(started.last_seq)];
    const bounds = chooseOldest(sizes.iterate() as Iterable<BatchSize>, SHIPMENT_LIMITS);
    if (bounds !== undefined) begin.run(...bounds);
    return bounds;
  }

  return {
    nextShipment(): Shipment | undefined {
      const bounds = findBounds();
      if (bounds === undefined) return undefined;
      const all = batches.all(...bounds) as unknown as Batch[];
      const sound = all.filter((batch) => {
        const isToShip = isSound(batch);
        if (!isToShip) setAside.run(batch.seq);
        return isToShip;
      });
      const rows = sound.reduce((sum, batch) => sum + batch.rows, 0);
      return {
        table: 'events',
        lines: Buffer.concat(sound.map((batch) => batch.lines)),
        rows,
        hasMore: later.get(bounds[1]) !== undefined,
        token: toOutboxToken({ firstSeq: bounds[0], lastSeq: bounds[1] }),
        isInDoubt: bounds[0] <= inDoubtUpTo,
        confirm() {
          inTransaction(db, () => {
            remove.run(...bounds);
            end.run();
            count.run(rows);
            shrink.run(sizeOf(all));
          });
          refusals.settle();
        },
        refuse: () => refuse(all),
      };
    },
  };
}

function sizeOf(batches: readonly Batch[]): number {
  return batches.reduce((sum, { lines }) => sum + lines.length, 0);
}
