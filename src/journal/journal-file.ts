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
import type { ShipmentSource } from '#storage/shipment.ts';
import { JOURNAL } from '#storage/shipment-token.ts';
import { watchPlace } from '#storage/watch-place.ts';
import { markPathOf, openMark, readMark } from './journal-mark.ts';

/** A batch on its way to disk: so many rows, one a line. */
export type NewBatch = { readonly seq: number; readonly rows: number; readonly lines: string };

/** A durable queue of batches. */
export interface Queue extends ShipmentSource {
  /** Returns once all are fsynced, in one commit. Throws when the disk does not take them, and keeps none. */
  append(batches: readonly NewBatch[]): void;
  /** Bytes that are not shipped yet. Kept in memory: a look costs nothing. */
  backlogBytes(): number;
  /** Batches that are kept aside: their checksum is wrong, or the warehouse cannot read them. */
  setAsideBatches(): number;
  close(): void;
}

/** One file of the journal. A new one takes batches; one of before is shipped until it is empty. */
export interface JournalFile extends Queue {
  readonly path: string;
  /** The last batch that is, or was, in it. */
  readonly lastSeq: number;
  readTotals(): ShippedTotals;
  /** Takes over the totals of other files. */
  addTotals(totals: ShippedTotals): void;
  /** Which of its files is not in its place any more, if any. */
  findGone(): string | undefined;
}

/** How shipments are made, and who hears of batches that are set aside. */
export type JournalFileOptions = {
  readonly limits?: ShipmentLimits | undefined;
  onTrouble(trouble: string): void;
};

/** Makes a new file at `path`, which is named after its first batch. */
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

/** Opens a file of before. Throws when it is damaged, and when a commit that the mark knows of is not there. */
export function openJournalFile(path: string, options: JournalFileOptions): JournalFile {
  const db = openQueue(path);
  try {
    assertSound(db, path);
    // They are not in sequence with the others, and may have been shipped in part.
    if (takeRefusedBack(db)) endSequence(db, path);
    return journalFileOf(path, db, options);
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Notes that a file's batches are not in sequence: the warehouse is asked about each of them. */
export function endSequence(db: DatabaseSync, path: string): void {
  db.exec('PRAGMA user_version = 1');
  rmSync(markPathOf(path), { force: true });
}

/** Removes the file and all that belongs to it. */
export function removeJournalFile(path: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(path + end, { force: true });
  rmSync(markPathOf(path), { force: true });
}

/** A connection to the queue at `path`, with its tables. */
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

/** The first batch of the file at `path`, which its name says. */
export function firstSeqOf(path: string): number {
  return Number.parseInt(basename(path), 10);
}

/** A file of this size is checked in a moment; damage in a larger one is found when it is read. */
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
    if (!isWhole) throw damage('batches are missing between others');
    if (Number(first) <= mark.shippedUpTo) throw damage('commits of shipments are missing');
  }
  if (readLastSeq(db, path) < mark.lastSeq) throw damage('the last commits are missing');
}

/** An error as SQLite throws it for a damaged file: SQLITE_CORRUPT. */
function damage(what: string): Error {
  return Object.assign(new Error(what), { errcode: 11 });
}

function readLastSeq(db: DatabaseSync, path: string): number {
  const row = db.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'batches'").get();
  return Math.max(Number(row?.seq ?? 0), firstSeqOf(path) - 1);
}

/**
 * While no more waits, batches stay in memory until they are shipped: reading a second's batches back from the
 * file kept commits waiting for some 20 ms.
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
