import { DatabaseSync } from 'node:sqlite';
import { toJournalToken, toSeqRange } from './shipment-token.ts';

/** What a durable queue of events says of itself. */
export type QueueCounts = {
  /** Events that the warehouse has confirmed. */
  readonly shipped: number;
  /** Events of the shipment under way: the warehouse may have none, some or all of them. */
  readonly underWay: number;
  /** Events that are still here, those under way among them. */
  readonly waiting: number;
  /** Batches set aside: damaged, or sound ones that the warehouse cannot read. */
  readonly damagedBatches: number;
};

/** The tables of one queue: batches, the shipment under way, those set aside, and the total. */
export type QueueTables = {
  readonly batches: string;
  readonly shipment: string;
  readonly damaged: string;
  /** A question for the one number of events that were shipped. */
  readonly shippedSql: string;
};

/** Those of a journal file. */
export const JOURNAL_TABLES: QueueTables = {
  batches: 'batches',
  shipment: 'shipment',
  damaged: 'damaged_batches',
  shippedSql: 'SELECT shipped_rows FROM totals',
};

/** The counts of the journal file at `path`, which may be in use meanwhile. */
export function readJournalCounts(path: string): QueueCounts {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    return readQueueCounts(db, JOURNAL_TABLES);
  } finally {
    db.close();
  }
}

/** The token of the shipment under way in the journal file at `path`, if any. */
export function findJournalToken(path: string, number: number): string | undefined {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    const row = db.prepare('SELECT first_seq, last_seq FROM shipment').get();
    return row && toJournalToken(number, toSeqRange(row));
  } finally {
    db.close();
  }
}

/** The counts of one queue, all of one instant. */
export function readQueueCounts(db: DatabaseSync, tables: QueueTables): QueueCounts {
  const { batches, shipment, damaged, shippedSql } = tables;
  const row = db
    .prepare(
      `SELECT (${shippedSql}) AS shipped,
        (SELECT coalesce(sum(rows), 0) FROM ${batches}) AS waiting,
        (SELECT coalesce(sum(rows), 0) FROM ${batches} JOIN ${shipment}
          ON ${batches}.seq BETWEEN first_seq AND last_seq) AS under_way,
        (SELECT count(*) FROM ${damaged}) AS damaged`,
    )
    .get();
  return {
    shipped: Number(row?.shipped),
    underWay: Number(row?.under_way),
    waiting: Number(row?.waiting),
    damagedBatches: Number(row?.damaged),
  };
}

/**
 * The number from which on batches of the journal file at `path` may not be in warehouse and archive:
 * all below are. `undefined` when it never had any.
 */
export function findUnconfirmedBatch(path: string): number | undefined {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    return readUnconfirmedBatch(db, JOURNAL_TABLES);
  } finally {
    db.close();
  }
}

/** The same of one queue. */
export function readUnconfirmedBatch(
  db: DatabaseSync,
  { batches }: Pick<QueueTables, 'batches'>,
): number | undefined {
  const row = db
    .prepare(
      `SELECT coalesce((SELECT min(seq) FROM ${batches}),
        (SELECT seq + 1 FROM sqlite_sequence WHERE name = ?)) AS seq`,
    )
    .get(batches);
  return row?.seq == null ? undefined : Number(row.seq);
}
