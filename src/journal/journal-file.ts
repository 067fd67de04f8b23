import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { type BatchSize, chooseOldest, type ParcelLimits } from './choose-oldest.ts';
import { inTransaction, openDurableDatabase } from './durable-database.ts';

/** Batches that go to the warehouse in one insert, oldest first. */
export type Shipment = {
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly rows: number;
  readonly lines: Buffer;
  /** What these batches add to the backlog, damaged ones included. */
  readonly sizeBytes: number;
  /** Batches lay behind these when they were taken. */
  readonly hasMore: boolean;
};

/** What is accepted and not yet shipped. */
export type JournalBacklog = { readonly batches: number; readonly rows: number };

/** The durable queue of one web process: one SQLite file, one writer. */
export interface JournalFile {
  /** The highest sequence number ever used, shipped batches included. */
  readonly lastSeq: number;
  /** Returns once the batch is fsynced. Throws when the disk does not take it. */
  append(seq: number, rows: number, lines: string): void;
  /**
   * The shipment under way, or a new one of the oldest batches. Which batches it holds is on disk
   * before it is returned, so that a crash repeats the same shipment.
   */
  nextShipment(limits: ParcelLimits): Shipment | undefined;
  /** Deletes the shipment's batches: the warehouse has them durably. */
  confirmShipment(shipment: Shipment): void;
  backlog(): JournalBacklog;
  /** Bytes of accepted events that are not shipped yet. Kept in memory: asking costs nothing. */
  backlogBytes(): number;
  /** Batches whose checksum was wrong when they were to be shipped. They are kept aside. */
  damagedBatches(): number;
  close(): void;
}

/** Opens or makes the journal at `path`. Throws when SQLite is not what durability needs. */
export function openJournalFile(path: string): JournalFile {
  const db = openDurableDatabase(path, { checkpoints: true });
  db.exec(`
    CREATE TABLE IF NOT EXISTS batches (
      seq INTEGER PRIMARY KEY AUTOINCREMENT, rows INTEGER NOT NULL,
      lines BLOB NOT NULL, crc INTEGER NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS damaged_batches (
      seq INTEGER PRIMARY KEY, rows INTEGER NOT NULL,
      lines BLOB NOT NULL, crc INTEGER NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS shipment (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      first_seq INTEGER NOT NULL, last_seq INTEGER NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS totals (
      only INTEGER PRIMARY KEY CHECK (only = 1), shipped_rows INTEGER NOT NULL) STRICT;
    INSERT OR IGNORE INTO totals VALUES (1, 0);
  `);
  return journalOf(db);
}

function journalOf(db: DatabaseSync): JournalFile {
  const insert = db.prepare('INSERT INTO batches (seq, rows, lines, crc) VALUES (?, ?, ?, ?)');
  const sizes = db.prepare('SELECT seq, rows, length(lines) AS size FROM batches ORDER BY seq');
  const range = db.prepare(
    'SELECT seq, rows, lines, crc FROM batches WHERE seq BETWEEN ? AND ? ORDER BY seq',
  );
  const after = db.prepare('SELECT 1 FROM batches WHERE seq > ? LIMIT 1');
  const underWay = db.prepare('SELECT first_seq, last_seq FROM shipment');
  const begin = db.prepare('INSERT OR REPLACE INTO shipment VALUES (1, ?, ?)');
  const setAside = db.prepare(
    'INSERT OR IGNORE INTO damaged_batches SELECT * FROM batches WHERE seq = ?',
  );
  const remove = db.prepare('DELETE FROM batches WHERE seq BETWEEN ? AND ?');
  const end = db.prepare('DELETE FROM shipment');
  const count = db.prepare('UPDATE totals SET shipped_rows = shipped_rows + ?');
  let backlogBytes = Number(
    db.prepare('SELECT coalesce(sum(length(lines)), 0) AS size FROM batches').get()?.size,
  );

  function chooseRange(limits: ParcelLimits): [number, number] | undefined {
    const row = underWay.get();
    if (row !== undefined) return [Number(row.first_seq), Number(row.last_seq)];
    const found = chooseOldest(sizes.iterate() as Iterable<BatchSize>, limits);
    if (found !== undefined) begin.run(...found);
    return found;
  }

  /** The range's sound batches; a damaged one is told and set aside, never shipped. */
  function readRange([firstSeq, lastSeq]: [number, number]): Shipment {
    const parts: Uint8Array[] = [];
    let rows = 0;
    let sizeBytes = 0;
    for (const batch of range.all(firstSeq, lastSeq) as unknown as Batch[]) {
      sizeBytes += batch.lines.length;
      if (crc32(batch.lines) !== batch.crc) {
        setAside.run(batch.seq);
        continue;
      }
      parts.push(batch.lines);
      rows += batch.rows;
    }
    const hasMore = after.get(lastSeq) !== undefined;
    return { firstSeq, lastSeq, rows, lines: Buffer.concat(parts), sizeBytes, hasMore };
  }

  return {
    lastSeq: Number(
      db.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'batches'").get()?.seq ?? 0,
    ),
    append(seq, rows, lines) {
      const bytes = Buffer.from(lines);
      insert.run(seq, rows, bytes, crc32(bytes));
      backlogBytes += bytes.length;
    },
    nextShipment(limits) {
      const found = chooseRange(limits);
      return found === undefined ? undefined : readRange(found);
    },
    confirmShipment({ firstSeq, lastSeq, rows, sizeBytes }) {
      inTransaction(db, () => {
        remove.run(firstSeq, lastSeq);
        end.run();
        count.run(rows);
      });
      backlogBytes -= sizeBytes;
    },
    backlog() {
      const row = db
        .prepare('SELECT count(*) AS batches, coalesce(sum(rows), 0) AS rows FROM batches')
        .get();
      return { batches: Number(row?.batches), rows: Number(row?.rows) };
    },
    backlogBytes: () => backlogBytes,
    damagedBatches: () => Number(db.prepare('SELECT count(*) AS n FROM damaged_batches').get()?.n),
    close: () => db.close(),
  };
}

type Batch = {
  readonly seq: number;
  readonly rows: number;
  readonly lines: Uint8Array;
  readonly crc: number;
};
