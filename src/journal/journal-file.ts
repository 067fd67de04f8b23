import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { numbersAfter } from '#storage/batch-numbers.ts';
import { type BatchSize, chooseOldest, type ShipmentLimits } from '#storage/choose-oldest.ts';
import { around } from '#storage/crash-points.ts';
import { createCommit, openDurableDatabase } from '#storage/durable-database.ts';
import { JOURNAL_TABLES } from '#storage/queue-counts.ts';
import {
  type Batch,
  createRefusalSearch,
  isSound,
  takeRefusedBack,
} from '#storage/refused-batches.ts';
import { JOURNAL_SCHEMA } from './journal-schema.ts';
import { isDamage, mendJournal, suspectJournal } from './mend-journal.ts';
import { createRecentBatches, type NewBatch } from './recent-batches.ts';

/** Batches that go to the warehouse in one insert, oldest first. */
export type JournalShipment = {
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly rows: number;
  /** Valid until the shipment is confirmed. */
  readonly lines: Buffer;
  /** What these batches add to the backlog, damaged ones included. */
  readonly sizeBytes: number;
  /** Batches lay behind these when they were taken. */
  readonly hasMore: boolean;
  /** Some of these came out of a damaged file: the warehouse may have them already. */
  readonly mayBeThere: boolean;
  /** It was under way when the file was opened: the warehouse may have all, some or none of it. */
  readonly isInDoubt: boolean;
};

/** What is accepted and not yet shipped. */
export type JournalBacklog = { readonly batches: number; readonly rows: number };

/** All batches up to one, but for those that wait: they are counted when they are shipped. */
export type LostTotal = { readonly upTo: number; readonly waiting: readonly number[] };

/** The durable queue of one web process: one SQLite file, one writer. */
export interface JournalFile {
  /** No sequence number ever used is higher, shipped batches included. */
  readonly lastSeq: number;
  /** Returns once all are fsynced, in one commit. Throws when the disk does not take them; none is there then. */
  append(batches: readonly NewBatch[]): void;
  /**
   * The shipment under way, or a new one of the oldest batches. Which batches it holds is on disk
   * before it is returned, so that a crash repeats the same shipment.
   */
  nextShipment(limits: ShipmentLimits): JournalShipment | undefined;
  /** Deletes the shipment's batches: the warehouse has them durably. */
  confirmShipment(shipment: JournalShipment): void;
  /**
   * The warehouse cannot read the shipment: the next one is its first half, until a batch stands
   * alone. That one is set aside after some tries, and tried again when the file is opened again.
   */
  refuseShipment(shipment: JournalShipment): void;
  /** Of which batches the warehouse must be asked for the total of shipped rows, if it is lost. */
  findLostTotal(): LostTotal | undefined;
  settleTotal(shippedRows: number): void;
  backlog(): JournalBacklog;
  /** Bytes of accepted events that are not shipped yet. Kept in memory: asking costs nothing. */
  backlogBytes(): number;
  /** Batches that are kept aside, as their checksum is wrong or the warehouse cannot read them. */
  setAsideBatches(): number;
  close(): void;
}

/**
 * Opens or makes the journal at `path`; a damaged one is mended first, and so is one that `isKnown` and gone.
 *
 * - `tell` hears of damage and of batches that are set aside.
 * - Throws when SQLite is not what durability needs.
 */
export function openJournalFile(
  path: string,
  tell: (trouble: string) => void = () => {},
  isKnown = false,
): JournalFile {
  try {
    return openMended(path, tell, isKnown);
  } catch (error) {
    if (!isDamage(error)) throw error;
    suspectJournal(path); // It was too large to be looked through without a reason.
    return openMended(path, tell, isKnown);
  }
}

function openMended(path: string, tell: (trouble: string) => void, isKnown: boolean): JournalFile {
  const mended = mendJournal(path, isKnown);
  if (mended !== undefined) tell(`${path} was damaged ${mended}`);
  const db = openDurableDatabase(path, { checkpoints: true });
  try {
    db.exec(JOURNAL_SCHEMA);
    db.exec('INSERT OR IGNORE INTO totals VALUES (1, 0)');
    takeRefusedBack(db, JOURNAL_TABLES);
    return journalOf(db, tell);
  } catch (error) {
    db.close();
    throw error;
  }
}

function journalOf(db: DatabaseSync, tell: (trouble: string) => void): JournalFile {
  const insert = db.prepare('INSERT INTO batches (seq, rows, lines, crc) VALUES (?, ?, ?, ?)');
  const oldest = db.prepare('SELECT seq FROM batches ORDER BY seq LIMIT 1');
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
  const mended = db.prepare('SELECT ask_up_to, is_total_known FROM mended').get();
  const inDoubtUpTo = Number(underWay.get()?.last_seq ?? 0);
  const askUpTo = Number(mended?.ask_up_to ?? 0);
  const commit = createCommit(db);
  const refusals = createRefusalSearch();
  const recent = createRecentBatches();
  let isSettled = false;
  let backlogBytes = Number(
    db.prepare('SELECT coalesce(sum(length(lines)), 0) AS size FROM batches').get()?.size,
  );

  /** Answers its size. */
  function insertNew(batch: NewBatch): number {
    const bytes = recent.keep(batch);
    insert.run(batch.seq, batch.rows, bytes, crc32(bytes));
    return bytes.length;
  }

  function chooseRange(limits: ShipmentLimits): [number, number] | undefined {
    const row = underWay.get();
    if (row !== undefined) return [Number(row.first_seq), Number(row.last_seq)];
    const inMemory = recent.findFrom(Number(oldest.get()?.seq ?? 0));
    const found = chooseOldest(inMemory ?? (sizes.iterate() as Iterable<BatchSize>), limits);
    if (found !== undefined) begin.run(...found);
    return found;
  }

  function takeRange([firstSeq, lastSeq]: [number, number]): JournalShipment {
    const inMemory = recent.find(firstSeq, lastSeq);
    const content =
      inMemory === undefined
        ? readRange(firstSeq, lastSeq)
        : { ...inMemory, sizeBytes: inMemory.lines.length };
    const hasMore = after.get(lastSeq) !== undefined;
    const doubts = { mayBeThere: firstSeq <= askUpTo, isInDoubt: firstSeq <= inDoubtUpTo };
    return { firstSeq, lastSeq, ...content, hasMore, ...doubts };
  }

  /** The range's sound batches; a damaged one is told and set aside, never shipped. */
  function readRange(firstSeq: number, lastSeq: number) {
    const parts: Uint8Array[] = [];
    let rows = 0;
    let sizeBytes = 0;
    for (const batch of range.all(firstSeq, lastSeq) as unknown as Batch[]) {
      sizeBytes += batch.lines.length;
      if (!isSound(batch)) {
        const isNew = setAside.run(batch.seq).changes > 0;
        if (isNew) tell(`Batch ${batch.seq} of ${batch.rows} events is damaged and set aside.`);
        continue;
      }
      parts.push(batch.lines);
      rows += batch.rows;
    }
    return { rows, lines: Buffer.concat(parts), sizeBytes };
  }

  function setRefusedAside({ firstSeq, rows, sizeBytes }: JournalShipment): void {
    commit(() => {
      setAside.run(firstSeq);
      remove.run(firstSeq, firstSeq);
      end.run();
    });
    recent.forget(firstSeq);
    backlogBytes -= sizeBytes;
    tell(`Batch ${firstSeq} of ${rows} events cannot be read by the warehouse and is set aside.`);
  }

  return {
    lastSeq: numbersAfter(
      Number(db.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'batches'").get()?.seq ?? 0),
    ),
    append(batches) {
      let sizeBytes = 0;
      try {
        around('journal commit', () =>
          commit(() => {
            for (const batch of batches) sizeBytes += insertNew(batch);
          }),
        );
      } catch (error) {
        recent.takeBack(batches[0]?.seq ?? 0);
        throw error;
      }
      backlogBytes += sizeBytes;
    },
    nextShipment(limits) {
      const found = chooseRange(limits);
      return found === undefined ? undefined : takeRange(found);
    },
    confirmShipment({ firstSeq, lastSeq, rows, sizeBytes }) {
      commit(() => {
        remove.run(firstSeq, lastSeq);
        end.run();
        count.run(rows);
      });
      recent.forget(lastSeq);
      backlogBytes -= sizeBytes;
      refusals.settle();
    },
    refuseShipment(shipment) {
      const { firstSeq, lastSeq } = shipment;
      const seqs = range.all(firstSeq, lastSeq).map(({ seq }) => Number(seq));
      const verdict = refusals.judge(seqs);
      if (verdict.kind === 'ship_up_to') begin.run(firstSeq, verdict.seq);
      if (verdict.kind === 'set_aside') setRefusedAside(shipment);
    },
    findLostTotal() {
      if (mended?.is_total_known !== 0 || isSettled) return undefined;
      const waiting = db.prepare('SELECT seq FROM batches WHERE seq <= ?').all(askUpTo);
      return { upTo: askUpTo, waiting: waiting.map(({ seq }) => Number(seq)) };
    },
    settleTotal(shippedRows) {
      commit(() => {
        count.run(shippedRows);
        db.exec('UPDATE mended SET is_total_known = 1');
      });
      isSettled = true;
    },
    backlog() {
      const row = db
        .prepare('SELECT count(*) AS batches, coalesce(sum(rows), 0) AS rows FROM batches')
        .get();
      return { batches: Number(row?.batches), rows: Number(row?.rows) };
    },
    backlogBytes: () => backlogBytes,
    setAsideBatches: () => Number(db.prepare('SELECT count(*) AS n FROM damaged_batches').get()?.n),
    close: () => db.close(),
  };
}
