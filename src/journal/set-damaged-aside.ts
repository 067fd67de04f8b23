import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Batch, isSound } from '#storage/batch.ts';
import { readTotals, type ShippedTotals } from '#storage/queue-counts.ts';
import { syncFolder } from '#storage/sync-folder.ts';
import { endSequence, firstSeqOf, openQueue, removeJournalFile } from './journal-file.ts';
import { type Mark, readMark } from './journal-mark.ts';

/** Folder for damaged journal files. They stay until an operator removes them. */
export const DAMAGED_FOLDER = 'damaged';

/**
 * Moves the damaged file at `path` into the folder `damaged`, and replaces it with a new file that holds
 * every unshipped batch that SQLite can still read. Returns a sentence about the missing batches.
 *
 * - Crash-safe: after a kill, it is repeated, or finished by `finishSettingAside`.
 */
export function setDamagedAside(path: string): string {
  const fresh = `${path}.fresh`;
  removeJournalFile(fresh);
  const mark = readMark(path);
  const found = readFound(path, mark);
  const db = openQueue(fresh);
  try {
    fill(db, firstSeqOf(path), found, mark);
    endSequence(db, fresh);
  } finally {
    db.close();
  }
  renameSync(fresh, `${path}.whole`);
  finishSettingAside(path);
  return describe(found, mark);
}

/** Finishes an interrupted replacement: the new file is complete, so the damaged one can be moved. */
export function finishSettingAside(path: string): void {
  if (!existsSync(`${path}.whole`)) return;
  const folder = join(dirname(path), DAMAGED_FOLDER);
  mkdirSync(folder, { recursive: true });
  const name = `${basename(path, '.db')}-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.db`;
  // Move the log first: next to the new file, SQLite would apply it to that one.
  for (const end of ['-wal', '-shm', '-mark', '']) {
    if (existsSync(path + end)) renameSync(path + end, join(folder, name + end));
  }
  renameSync(`${path}.whole`, path);
  for (const each of [folder, dirname(path)]) syncFolder(each);
}

type Found = {
  /** By number. Some have a wrong checksum. */
  readonly batches: ReadonlyMap<number, Batch>;
  readonly totals: ShippedTotals;
};

function readFound(path: string, mark: Mark | undefined): Found {
  const db = new DatabaseSync(path, { timeout: 5_000 });
  const batches = new Map<number, Batch>();
  const isWanted = ({ seq }: Batch) =>
    mark === undefined || (seq > mark.shippedUpTo && seq <= mark.lastSeq);
  const add = (sql: string, isKept = isWanted) =>
    tryTo(() => {
      for (const row of db.prepare(sql).iterate()) {
        const batch = row as unknown as Batch;
        if (isKept(batch)) batches.set(batch.seq, batch);
      }
    });
  add('SELECT * FROM set_aside_batches', () => true);
  // Read from both ends, because a damaged page stops a scan.
  for (const order of ['ASC', 'DESC']) add(`SELECT * FROM batches ORDER BY seq ${order}`);
  const totals = tryTo(() => readTotals(db)) ?? new Map();
  db.close();
  return { batches, totals };
}

function fill(
  db: DatabaseSync,
  firstSeq: number,
  { batches, totals }: Found,
  mark: Mark | undefined,
): void {
  db.exec('BEGIN');
  for (const batch of batches.values()) {
    const table = isSound(batch) ? 'batches' : 'set_aside_batches';
    const { seq, rows, crc, lines } = batch;
    // Damaged values may violate constraints.
    tryTo(() => db.prepare(`INSERT INTO ${table} VALUES (?, ?, ?, ?)`).run(seq, rows, crc, lines));
  }
  const total = db.prepare('INSERT OR REPLACE INTO totals VALUES (?, ?)');
  for (const [file, rows] of totals) total.run(file, rows);
  total.run(firstSeq, null);
  if (mark !== undefined && mark.shippingUpTo > mark.shippedUpTo) {
    const begin = db.prepare('INSERT INTO shipment VALUES (1, ?, ?)');
    begin.run(mark.shippedUpTo + 1, mark.shippingUpTo);
  }
  db.exec('COMMIT');
}

function describe({ batches }: Found, mark: Mark | undefined): string {
  const damaged = [...batches.values()].filter((batch) => !isSound(batch)).map(({ seq }) => seq);
  const kept = `${batches.size - damaged.length} of its batches will be shipped`;
  const damagedText = damaged.length > 0 ? ` Damaged: ${toRanges(damaged)}.` : '';
  if (mark === undefined) return `${kept}. The number of lost batches is unknown.${damagedText}`;
  const missing: number[] = [];
  for (let seq = mark.shippedUpTo + 1; seq <= mark.lastSeq; seq++) {
    if (!batches.has(seq)) missing.push(seq);
  }
  const lost = missing.length > 0 ? `Lost: batches ${toRanges(missing)}.` : 'No batch is lost.';
  return `${kept}. ${lost}${damagedText}`;
}

/** `3, 5-9` */
function toRanges(seqs: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const seq of seqs.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === seq - 1) last[1] = seq;
    else ranges.push([seq, seq]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
}

function tryTo<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined; // Unreadable batches are reported as lost.
  }
}
