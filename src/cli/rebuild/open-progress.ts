import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** One insert of a rebuild: which part of which archive file, and the shipments in it. */
export type Parcel = {
  /** Relative to the archive's folder. */
  readonly path: string;
  readonly from: number;
  readonly to: number;
  /** The shipments that it inserts; others in this part are repetitions or damaged. */
  readonly tokens: readonly string[];
};

/** Bytes of the archive that a rebuild could not take. */
export type SkippedBytes = {
  /** Relative to the archive's folder. */
  readonly path: string;
  readonly from: number;
  readonly to: number;
  /** Whether it is a shipment with a sound header, whose lines do not match their checksum. */
  readonly isShipment: boolean;
};

/** How far a rebuild has come, on disk: whoever goes on after a kill repeats or loses nothing. */
export interface Progress {
  /** The parcel that was written down before it was sent, and never confirmed. */
  findParcel(): Parcel | undefined;
  /** Returns once the parcel is fsynced: from now on it may be sent. */
  beginParcel(parcel: Parcel): void;
  /** The warehouse has the parcel's events. */
  confirmParcel(parcel: Parcel): void;
  /** Whether a shipment of this token is in a confirmed parcel. */
  isDone(token: string): boolean;
  /** Up to where the file is done. */
  doneTo(path: string): number;
  /** Keeps it for the end, whoever goes on until then. Safe to repeat. */
  noteSkipped(skipped: SkippedBytes): void;
  /** All that was skipped, by this run and those before it. */
  listSkipped(): SkippedBytes[];
  /** All of the archive was taken, and the counts differ: to go on would mend nothing. */
  endWithDifferences(): void;
  close(): void;
}

/**
 * Opens or makes the progress at `path` of a rebuild of this warehouse.
 *
 * - Throws when it is of another warehouse.
 */
export function openProgress(path: string, warehouse: string): Progress {
  mkdirSync(dirname(path), { recursive: true });
  const db = new DatabaseSync(path, { timeout: 5_000 });
  db.exec(SCHEMA);
  assertSameWarehouse(db, warehouse);

  const parcel = db.prepare('SELECT * FROM parcel');
  const begin = db.prepare('INSERT OR REPLACE INTO parcel VALUES (1, ?, ?, ?, ?)');
  const end = db.prepare('DELETE FROM parcel');
  const addToken = db.prepare('INSERT OR IGNORE INTO shipments VALUES (?)');
  const findToken = db.prepare('SELECT 1 FROM shipments WHERE token = ?');
  const saveFile = db.prepare('INSERT OR REPLACE INTO files VALUES (?, ?)');
  const findFile = db.prepare('SELECT done_to FROM files WHERE path = ?');
  const addSkipped = db.prepare('INSERT OR IGNORE INTO skipped VALUES (?, ?, ?, ?)');
  const skipped = db.prepare('SELECT * FROM skipped ORDER BY path, begins_at');

  return {
    findParcel() {
      const row = parcel.get();
      if (row === undefined) return undefined;
      return {
        path: String(row.path),
        from: Number(row.begins_at),
        to: Number(row.ends_at),
        tokens: JSON.parse(String(row.tokens)),
      };
    },
    beginParcel({ path, from, to, tokens }) {
      begin.run(path, from, to, JSON.stringify(tokens));
    },
    confirmParcel({ path, to, tokens }) {
      db.exec('BEGIN IMMEDIATE');
      for (const token of tokens) addToken.run(token);
      saveFile.run(path, to);
      end.run();
      db.exec('COMMIT');
    },
    isDone: (token) => findToken.get(token) !== undefined,
    doneTo: (path) => Number(findFile.get(path)?.done_to ?? 0),
    noteSkipped({ path, from, to, isShipment }) {
      addSkipped.run(path, from, to, isShipment ? 1 : 0);
    },
    listSkipped: () =>
      skipped.all().map((row) => ({
        path: String(row.path),
        from: Number(row.begins_at),
        to: Number(row.ends_at),
        isShipment: row.is_shipment === 1,
      })),
    endWithDifferences: () => db.exec(`PRAGMA user_version = ${ENDED_WITH_DIFFERENCES}`),
    close: () => db.close(),
  };
}

/** A mark in the file's header; 0 before. */
const ENDED_WITH_DIFFERENCES = 1;

/** How the rebuild with its progress at `path` was left; the end it came to is one with differences. */
export function findState(path: string): 'unfinished' | 'ended' | 'unreadable' {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path, { timeout: 5_000 });
    if (db.prepare('PRAGMA quick_check(1)').get()?.quick_check !== 'ok') return 'unreadable';
    const row = db.prepare('PRAGMA user_version').get();
    return row?.user_version === ENDED_WITH_DIFFERENCES ? 'ended' : 'unfinished';
  } catch {
    return 'unreadable';
  } finally {
    db?.close();
  }
}

const SCHEMA = `
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
CREATE TABLE IF NOT EXISTS target (only INTEGER PRIMARY KEY CHECK (only = 1), warehouse TEXT) STRICT;
CREATE TABLE IF NOT EXISTS files (path TEXT PRIMARY KEY, done_to INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS shipments (token TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS parcel (
  only INTEGER PRIMARY KEY CHECK (only = 1), path TEXT NOT NULL,
  begins_at INTEGER NOT NULL, ends_at INTEGER NOT NULL, tokens TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS skipped (
  path TEXT NOT NULL, begins_at INTEGER NOT NULL, ends_at INTEGER NOT NULL, is_shipment INTEGER NOT NULL,
  PRIMARY KEY (path, begins_at)) STRICT, WITHOUT ROWID;
`;

function assertSameWarehouse(db: DatabaseSync, warehouse: string): void {
  db.prepare('INSERT OR IGNORE INTO target VALUES (1, ?)').run(warehouse);
  const begun = db.prepare('SELECT warehouse FROM target').get()?.warehouse;
  if (begun === warehouse) return;
  db.close();
  throw new Error(`A rebuild of ${begun} has begun; "rebuild --fresh" begins one of ${warehouse}.`);
}
