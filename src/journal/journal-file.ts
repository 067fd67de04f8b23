import { rmSync } from 'node:fs';
import { basename } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { checksumOf } from '#storage/batch.ts';
import { around } from '#storage/crash-points.ts';
import { inTransaction, openDurableDatabase } from '#storage/durable-database.ts';
import { readTotals, type ShippedTotals } from '#storage/queue-counts.ts';
import { QUEUE_SCHEMA } from '#storage/queue-schema.ts';
import {
  createQueueSource,
  SHIPMENT_LIMITS,
  type ShipmentLimits,
  takeRefusedBack,
} from '#storage/queue-source.ts';
import type { Shipment, ShipmentSource } from '#storage/shipment.ts';
import { JOURNAL } from '#storage/shipment-token.ts';
import { watchPlace } from '#storage/watch-place.ts';
import { markPathOf, openMark, readMark } from './journal-mark.ts';

/** A batch to write: `rows` lines, one per row. */
export type NewBatch = { readonly seq: number; readonly rows: number; readonly lines: string };

/** A durable queue of batches. */
export interface Queue extends ShipmentSource {
  nextShipment(): Shipment | undefined;
  /** Returns once all are fsynced in one commit. Throws if the write fails, and then keeps none. */
  append(batches: readonly NewBatch[]): void;
  /** Unshipped bytes. Tracked in memory, so reading it is free. */
  backlogBytes(): number;
  /** Number of batches set aside because of a wrong checksum, or because the warehouse cannot read them. */
  setAsideBatches(): number;
  close(): void;
}

/** One file of the journal. The newest takes batches; older ones are shipped until they are empty. */
export interface JournalFile extends Queue {
  readonly path: string;
  /** The last batch ever in the file. */
  readonly lastSeq: number;
  readTotals(): ShippedTotals;
  /** Adds the totals of other files. */
  addTotals(totals: ShippedTotals): void;
  /** The path of a file that was removed or replaced, if any. */
  findGone(): string | undefined;
}

/** Limits of shipments, and a callback for batches set aside. */
export type JournalFileOptions = {
  readonly limits?: ShipmentLimits | undefined;
  onTrouble(trouble: string): void;
};

/** Creates a file at `path`, whose name is the number of its first batch. */
export function createJournalFile(path: string, options: JournalFileOptions): JournalFile {
  const lastSeq = firstSeqOf(path) - 1;
  try {
    const db = openQueue(path);
    db.prepare('INSERT INTO totals VALUES (?, 0)').run(firstSeqOf(path));
    openMark(path, { shippedUpTo: lastSeq, shippingUpTo: lastSeq, lastSeq }).close();
    return journalFileOf(path, db, options);
  } catch (error) {
    removeJournalFile(path);
    throw error;
  }
}

/** Opens an existing file. Throws if it is damaged, or if it lacks a commit that the mark records. */
export function openJournalFile(path: string, options: JournalFileOptions): JournalFile {
  const db = openQueue(path);
  try {
    assertSound(db, path);
    // These batches break the sequence, and may be partly shipped.
    if (takeRefusedBack(db)) endSequence(db, path);
    return journalFileOf(path, db, options);
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Marks a file's batches as out of sequence: the warehouse is asked about each of them. */
export function endSequence(db: DatabaseSync, path: string): void {
  db.exec('PRAGMA user_version = 1');
  rmSync(markPathOf(path), { force: true });
}

/** Removes the file, its logs and its mark. */
export function removeJournalFile(path: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(path + end, { force: true });
  rmSync(markPathOf(path), { force: true });
}

/** Opens the queue database at `path` and creates its tables. */
export function openQueue(path: string): DatabaseSync {
  const db = openDurableDatabase(path, { checkpoints: true });
  try {
    db.exec(QUEUE_SCHEMA);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** The number of the file's first batch, from its name. */
export function firstSeqOf(path: string): number {
  return Number.parseInt(basename(path), 10);
}

/** Files up to this size are checked quickly at start. Damage in larger files is found when it is read. */
const CHECKED_MAX_PAGES = 16 * 1024;

function assertSound(db: DatabaseSync, path: string): void {
  const { page_count: pages } = db.prepare('PRAGMA page_count').get() ?? {};
  if (Number(pages) <= CHECKED_MAX_PAGES) {
    const { quick_check: found } = db.prepare('PRAGMA quick_check(1)').get() ?? {};
    if (found !== 'ok') throw damage(String(found));
  }
  const mark = readMark(path);
  if (mark === undefined) return;
  const ends = 'SELECT min(seq) AS first, max(seq) AS last, count(*) AS count FROM batches';
  const { first, last, count } = db.prepare(ends).get() ?? {};
  if (first != null) {
    const isWhole = Number(last) - Number(first) + 1 === Number(count);
    if (!isWhole) throw damage('there are gaps between batches');
    if (Number(first) <= mark.shippedUpTo) throw damage('commits of shipments are missing');
  }
  if (readLastSeq(db, path) < mark.lastSeq) throw damage('the last commits are missing');
}

/** An error like SQLite's own for a damaged file: SQLITE_CORRUPT. */
function damage(what: string): Error {
  return Object.assign(new Error(what), { errcode: 11 });
}

function readLastSeq(db: DatabaseSync, path: string): number {
  const row = db.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'batches'").get();
  return Math.max(Number(row?.seq ?? 0), firstSeqOf(path) - 1);
}

/**
 * Up to this backlog, batches also stay in memory until they are shipped. Reading one second's batches
 * back from the file delayed commits by about 20 ms.
 */
const RECENT_MAX_BYTES = 2 * SHIPMENT_LIMITS.sizeBytes;

function journalFileOf(
  path: string,
  db: DatabaseSync,
  { limits, onTrouble }: JournalFileOptions,
): JournalFile {
  const insert = db.prepare('INSERT INTO batches (seq, rows, lines, crc) VALUES (?, ?, ?, ?)');
  const setAside = db.prepare('SELECT count(*) AS n FROM set_aside_batches');
  const addTotal = db.prepare('INSERT OR REPLACE INTO totals VALUES (?, ?)');
  const { user_version: isOutOfSequence } = db.prepare('PRAGMA user_version').get() ?? {};
  const known = readMark(path);
  const mark = known && openMark(path, known);
  const recentLines = new Map<number, Buffer>();
  const findGone = watchPlace(path);
  const size = db.prepare('SELECT coalesce(sum(length(lines)), 0) AS bytes FROM batches').get();
  let backlogBytes = Number(size?.bytes);
  let lastSeq = readLastSeq(db, path);

  const source = createQueueSource(db, {
    totalKey: firstSeqOf(path),
    journal: JOURNAL,
    isInDoubt: isOutOfSequence === 1,
    recentLines,
    ...(limits && { limits }),
    onTrouble,
    onBegin: (range) => mark?.set({ shippingUpTo: range.lastSeq }),
    onEnd(range, sizeBytes) {
      mark?.set({ shippedUpTo: range.lastSeq });
      backlogBytes -= sizeBytes;
      for (const seq of recentLines.keys()) if (seq <= range.lastSeq) recentLines.delete(seq);
    },
  });

  return {
    path,
    get lastSeq() {
      return lastSeq;
    },
    nextShipment: source.nextShipment,
    append(batches) {
      let sizeBytes = 0;
      around('journal commit', () =>
        inTransaction(db, () => {
          for (const { seq, rows, lines } of batches) {
            const bytes = Buffer.from(lines);
            insert.run(seq, rows, bytes, checksumOf({ seq, rows, lines: bytes }));
            sizeBytes += bytes.length;
            if (backlogBytes + sizeBytes <= RECENT_MAX_BYTES) recentLines.set(seq, bytes);
          }
        }),
      );
      backlogBytes += sizeBytes;
      lastSeq = batches.at(-1)?.seq ?? lastSeq;
      mark?.set({ lastSeq });
    },
    backlogBytes: () => backlogBytes,
    setAsideBatches: () => Number(setAside.get()?.n),
    readTotals: () => readTotals(db),
    addTotals(totals) {
      inTransaction(db, () => {
        for (const [file, rows] of totals) addTotal.run(file, rows);
      });
    },
    findGone,
    close() {
      mark?.close();
      db.close();
    },
  };
}
