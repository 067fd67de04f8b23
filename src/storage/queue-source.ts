import type { DatabaseSync } from 'node:sqlite';
import { countNoun } from '#domain/count-noun.ts';
import { type Batch, isSound } from './batch.ts';
import { inTransaction } from './durable-database.ts';
import type { Shipment } from './shipment.ts';
import { type SeqRange, toSeqRange, toToken } from './shipment-token.ts';

/** Maximum size of a shipment. */
export type ShipmentLimits = { readonly sizeBytes: number; readonly rows: number };

/** The size of one insert: large enough to be efficient, small enough for the engine's memory. */
export const SHIPMENT_LIMITS: ShipmentLimits = { sizeBytes: 16 * 1024 * 1024, rows: 60_000 };

/** Identity, limits and callbacks of a queue. */
export type QueueOptions = {
  /** The key of its total in `totals`. */
  readonly totalKey: number;
  /** Its number in batch ids. */
  readonly journal: number;
  /** Whether every shipment may be in the warehouse already, not only the one in flight. */
  readonly isInDoubt?: boolean;
  /** Cached lines by batch number, which need not be read from the file. */
  readonly recentLines?: ReadonlyMap<number, Uint8Array>;
  readonly limits?: ShipmentLimits;
  onTrouble(trouble: string): void;
  /** Called once the range of a new shipment is on disk. */
  onBegin?(range: SeqRange): void;
  /** Called once the batches are deleted from the queue. */
  onEnd?(range: SeqRange, sizeBytes: number): void;
};

/** A source whose next shipment is there at once. */
type SyncSource = { nextShipment(): Shipment | undefined };

/**
 * Creates shipments from the queue in a database, oldest first. A queue may have only one such source.
 *
 * - Shape: a shipment's range is on disk before the shipment is returned. After a crash, the same shipment
 *   is repeated, marked as in doubt: the warehouse may have all, some or none of it.
 * - A batch with a wrong checksum is set aside and reported. So is a single batch that the warehouse refuses.
 */
export function createQueueSource(db: DatabaseSync, options: QueueOptions): SyncSource {
  const { totalKey, journal, recentLines, limits = SHIPMENT_LIMITS, onTrouble } = options;
  const sizes = db.prepare('SELECT seq, rows, length(lines) AS size FROM batches ORDER BY seq');
  const range = db.prepare(
    'SELECT seq, rows, crc FROM batches WHERE seq BETWEEN ? AND ? ORDER BY seq',
  );
  const linesOf = db.prepare('SELECT lines FROM batches WHERE seq = ?');
  const sizeOf = db.prepare(
    'SELECT coalesce(sum(length(lines)), 0) AS size FROM batches WHERE seq BETWEEN ? AND ?',
  );
  const after = db.prepare('SELECT 1 FROM batches WHERE seq > ? LIMIT 1');
  const inFlight = db.prepare('SELECT first_seq, last_seq FROM shipment');
  const begin = db.prepare('INSERT OR REPLACE INTO shipment VALUES (1, ?, ?)');
  const setAside = db.prepare(
    'INSERT OR IGNORE INTO set_aside_batches SELECT * FROM batches WHERE seq = ?',
  );
  const remove = db.prepare('DELETE FROM batches WHERE seq BETWEEN ? AND ?');
  const end = db.prepare('DELETE FROM shipment');
  const count = db.prepare(`
    INSERT INTO totals VALUES (?1, ?2)
    ON CONFLICT DO UPDATE SET shipped_rows = shipped_rows + excluded.shipped_rows`);
  const inDoubtUpTo = options.isInDoubt
    ? Number.POSITIVE_INFINITY
    : Number(inFlight.get()?.last_seq ?? 0);

  function findRange(): SeqRange | undefined {
    const row = inFlight.get();
    if (row !== undefined) return toSeqRange(row);
    const found = chooseOldest(sizes.iterate(), limits);
    if (found !== undefined) beginShipment(found);
    return found;
  }

  function beginShipment(found: SeqRange): void {
    begin.run(found.firstSeq, found.lastSeq);
    options.onBegin?.(found);
  }

  function readSound({ firstSeq, lastSeq }: SeqRange): { rows: number; lines: Buffer } {
    const found: Uint8Array[] = [];
    let rows = 0;
    for (const head of range.all(firstSeq, lastSeq) as unknown as Omit<Batch, 'lines'>[]) {
      const recent = recentLines?.get(head.seq);
      const lines = recent ?? (linesOf.get(head.seq)?.lines as Uint8Array);
      if (recent !== undefined || isSound({ ...head, lines })) {
        found.push(lines);
        rows += head.rows;
      } else if (setAside.run(head.seq).changes > 0) {
        const events = countNoun(head.rows, 'event');
        onTrouble(`Batch ${head.seq} of ${events} is damaged and has been set aside.`);
      }
    }
    return { rows, lines: Buffer.concat(found) };
  }

  /** Deletes batches from the queue and does the work, in one commit. */
  function endShipment(found: SeqRange, work: () => void): void {
    const { firstSeq, lastSeq } = found;
    const sizeBytes = Number(sizeOf.get(firstSeq, lastSeq)?.size);
    inTransaction(db, () => {
      work();
      remove.run(firstSeq, lastSeq);
      end.run();
    });
    options.onEnd?.(found, sizeBytes);
  }

  /** Halves the shipment until a single batch is refused, which is set aside. */
  function refuse(found: SeqRange): void {
    const seqs = range.all(found.firstSeq, found.lastSeq).map(({ seq }) => Number(seq));
    if (seqs.length > 1) {
      beginShipment(halfOf(found, seqs));
      return;
    }
    endShipment(found, () => setAside.run(found.firstSeq));
    onTrouble(`Batch ${found.firstSeq} cannot be read by the warehouse and has been set aside.`);
  }

  return {
    nextShipment(): Shipment | undefined {
      const found = findRange();
      if (found === undefined) return undefined;
      const { rows, lines } = readSound(found);
      return {
        table: 'events',
        ...{ rows, lines },
        token: toToken(journal, found),
        hasMore: after.get(found.lastSeq) !== undefined,
        isInDoubt: found.firstSeq <= inDoubtUpTo,
        confirm: () => endShipment(found, () => count.run(totalKey, rows)),
        refuse: () => refuse(found),
      };
    },
  };
}

/** The first half of a range that has these batches. */
export function halfOf(range: SeqRange, seqs: readonly number[]): SeqRange {
  return { ...range, lastSeq: seqs[Math.ceil(seqs.length / 2) - 1] ?? range.lastSeq };
}

/** The range of the oldest batches within the limits, at least one. */
export function chooseOldest(
  batches: Iterable<Readonly<Record<string, unknown>>>,
  limits: ShipmentLimits,
): SeqRange | undefined {
  let found: SeqRange | undefined;
  let [sizeBytes, rows] = [0, 0];
  for (const batch of batches) {
    sizeBytes += Number(batch.size);
    rows += Number(batch.rows);
    if (found !== undefined && (sizeBytes > limits.sizeBytes || rows > limits.rows)) break;
    const seq = Number(batch.seq);
    found = { firstSeq: found?.firstSeq ?? seq, lastSeq: seq };
  }
  return found;
}

/**
 * Moves intact set-aside batches back into the queue. Returns whether there were any. The current warehouse
 * may be able to read them, for example after an upgrade.
 */
export function takeRefusedBack(db: DatabaseSync): boolean {
  const setAside = db.prepare('SELECT * FROM set_aside_batches').all() as unknown as Batch[];
  const refused = setAside.filter(isSound);
  if (refused.length === 0) return false;
  const back = db.prepare('INSERT OR IGNORE INTO batches VALUES (?, ?, ?, ?)');
  const forget = db.prepare('DELETE FROM set_aside_batches WHERE seq = ?');
  inTransaction(db, () => {
    for (const { seq, rows, crc, lines } of refused) {
      back.run(seq, rows, crc, lines);
      forget.run(seq);
    }
  });
  return true;
}
