import { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { numbersAfter } from '#storage/batch-numbers.ts';
import { openDurableDatabase } from '#storage/durable-database.ts';
import { JOURNAL_SCHEMA } from './journal-schema.ts';

type Row = Readonly<Record<string, unknown>>;

/**
 * Makes a journal file at `path` of all that can be read in copies of a damaged one; answers how
 * many sound batches came out.
 *
 * - Shape: a batch whose checksum is wrong is set aside, as it would be when it is shipped.
 * - Why several copies: what one lacks, another has. A batch that was shipped long ago may come
 *   back so; `ask_up_to` makes the shipper ask the warehouse about each of them first.
 */
export function salvageBatches(copies: readonly string[], path: string): number {
  const fresh = openDurableDatabase(path, { checkpoints: true });
  try {
    fresh.exec(JOURNAL_SCHEMA);
    fresh.exec('BEGIN');
    for (const copy of copies) readCopy(copy, (db) => takeAll(db, fresh));
    for (const copy of copies) readCopy(copy, (db) => takeTotal(db, fresh));
    setNumbers(fresh);
    const batches = Number(fresh.prepare('SELECT count(*) AS n FROM batches').get()?.n);
    fresh.exec('COMMIT');
    return batches;
  } finally {
    fresh.close();
  }
}

function readCopy(path: string, work: (db: DatabaseSync) => void): void {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path, { timeout: 5_000 });
    work(db);
  } catch {
    // Nothing of this copy can be read, or no more of it.
  } finally {
    db?.close();
  }
}

function takeAll(db: DatabaseSync, fresh: DatabaseSync): void {
  const keep = fresh.prepare('INSERT OR IGNORE INTO batches VALUES (?, ?, ?, ?)');
  const setAside = fresh.prepare('INSERT OR IGNORE INTO damaged_batches VALUES (?, ?, ?, ?)');
  // From both ends, as a damaged page stops either walk.
  for (const order of ['ASC', 'DESC']) {
    forEach(db, `SELECT seq, rows, lines, crc FROM batches ORDER BY seq ${order}`, (row) => {
      const isSound = row.lines instanceof Uint8Array && crc32(row.lines) === row.crc;
      (isSound ? keep : setAside).run(...valuesOf(row));
    });
  }
  forEach(db, 'SELECT seq, rows, lines, crc FROM damaged_batches', (row) => {
    setAside.run(...valuesOf(row));
  });
  const begin = fresh.prepare('INSERT OR REPLACE INTO shipment VALUES (1, ?, ?)');
  forEach(db, 'SELECT first_seq, last_seq FROM shipment', (row) => {
    begin.run(...valuesOf(row));
  });
}

/**
 * Takes the copy's total, less the batches that another copy brought back: they count when they are
 * shipped, as all that waits.
 */
function takeTotal(db: DatabaseSync, fresh: DatabaseSync): void {
  const back = fresh.prepare('SELECT coalesce(sum(rows), 0) AS rows FROM batches WHERE seq < ?');
  const total = fresh.prepare('INSERT OR REPLACE INTO totals VALUES (1, ?)');
  // In one question: without its first batch, the copy's total says nothing.
  const question = 'SELECT shipped_rows, (SELECT min(seq) FROM batches) AS first_seq FROM totals';
  forEach(db, `${question} WHERE shipped_rows >= 0`, ({ shipped_rows, first_seq }) => {
    const { rows } = back.get(Number(first_seq ?? Number.MAX_SAFE_INTEGER)) ?? {};
    total.run(Math.max(0, Number(shipped_rows) - Number(rows)));
  });
}

/** Each row that can be read. */
function forEach(db: DatabaseSync, sql: string, take: (row: Row) => void): void {
  try {
    for (const row of db.prepare(sql).iterate()) {
      try {
        take(row);
      } catch {
        // A row of values that no journal wrote.
      }
    }
  } catch {
    // What is behind a damaged page; the other walk and the other copy may have it.
  }
}

type Value = string | number | bigint | null | Uint8Array;

function valuesOf(row: Row): Value[] {
  return Object.values(row) as Value[];
}

/** Above every number that was ever used, and the batches below it are asked for. */
function setNumbers(fresh: DatabaseSync): void {
  fresh.exec('DELETE FROM damaged_batches WHERE seq IN (SELECT seq FROM batches)');
  const known = Number(
    fresh.prepare('SELECT coalesce(max(seq), 0) AS seq FROM batches').get()?.seq,
  );
  const askUpTo = numbersAfter(known);
  const isTotalKnown = fresh.prepare('SELECT 1 FROM totals').get() !== undefined ? 1 : 0;
  fresh.exec('INSERT OR IGNORE INTO totals VALUES (1, 0)');
  fresh.exec("DELETE FROM sqlite_sequence WHERE name = 'batches'");
  fresh.prepare("INSERT INTO sqlite_sequence VALUES ('batches', ?)").run(askUpTo);
  fresh.prepare('INSERT INTO mended VALUES (1, ?, ?)').run(askUpTo, isTotalKnown);
}
