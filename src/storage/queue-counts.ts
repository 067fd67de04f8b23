import { basename } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { listJournalFiles } from './list-journals.ts';
import { type SeqRange, toSeqRange } from './shipment-token.ts';

/** The counts of a durable queue of events. */
export type QueueCounts = {
  /** Events that the warehouse has confirmed; undefined if a damaged or lost file hides the number. */
  readonly shipped: number | undefined;
  /** Events still in the queue, including those in flight. */
  readonly waiting: number;
  /** Batches set aside: damaged ones, and intact ones that the warehouse cannot read. */
  readonly damagedBatches: number;
  /** The first batch that may be missing from the warehouse. All earlier ones are there. */
  readonly unconfirmedFrom: number | undefined;
  /** Shipments in flight. The warehouse may have none, some or all of their events. */
  readonly shipments: readonly SeqRange[];
};

/** Shipped rows, by the first batch of their file; null if unknown. */
export type ShippedTotals = ReadonlyMap<number, number | null>;

const TRIES_MAX = 10;

/** The counts of the journal in `folder`, which may be in use. Undefined without a journal. */
export function readJournalCounts(folder: string): QueueCounts | undefined {
  for (let tries = 1; ; tries++) {
    const paths = listJournalFiles(folder);
    const found = paths.flatMap(tryToRead);
    // A shipped file is removed once another file has its total.
    const isSame = found.length === paths.length && `${listJournalFiles(folder)}` === `${paths}`;
    if (isSame || tries === TRIES_MAX) return found.length === 0 ? undefined : addUp(found);
  }
}

type Queue = Omit<QueueCounts, 'shipped' | 'unconfirmedFrom'> & {
  readonly totals: ShippedTotals;
  readonly oldest: number | undefined;
  readonly next: number;
};

function tryToRead(path: string): Queue[] {
  try {
    return [readFile(path, Number.parseInt(basename(path), 10))];
  } catch {
    return []; // It is being created or removed.
  }
}

/** Reads all counts from one snapshot. */
function readFile(path: string, firstSeq: number): Queue {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    db.exec('BEGIN');
    const row = db
      .prepare(`
        SELECT coalesce(sum(rows), 0) AS waiting, min(seq) AS oldest,
          (SELECT count(*) FROM set_aside_batches) AS set_aside,
          (SELECT seq FROM sqlite_sequence WHERE name = 'batches') AS last_seq
        FROM batches`)
      .get();
    return {
      totals: readTotals(db),
      waiting: Number(row?.waiting),
      damagedBatches: Number(row?.set_aside),
      oldest: row?.oldest == null ? undefined : Number(row.oldest),
      next: Math.max(firstSeq, Number(row?.last_seq ?? 0) + 1),
      shipments: db.prepare('SELECT first_seq, last_seq FROM shipment').all().map(toSeqRange),
    };
  } finally {
    db.close();
  }
}

/** The totals in a queue's database. */
export function readTotals(db: DatabaseSync): ShippedTotals {
  const totals = db.prepare('SELECT file, shipped_rows FROM totals').all();
  return new Map(totals.map((total) => [Number(total.file), total.shipped_rows as number | null]));
}

/** Adds up the counts of files. A total may be in two files for a moment. */
function addUp(queues: readonly Queue[]): QueueCounts {
  const totals = new Map(queues.flatMap((queue) => [...queue.totals]));
  const oldest = queues.map((queue) => queue.oldest).filter((seq) => seq !== undefined);
  const next = Math.max(...queues.map((queue) => queue.next));
  const sumOf = (count: 'waiting' | 'damagedBatches') =>
    queues.reduce((sum, queue) => sum + queue[count], 0);
  const known = [...totals.values()].filter((rows) => rows !== null);
  return {
    shipped: known.length === totals.size ? known.reduce((sum, rows) => sum + rows, 0) : undefined,
    waiting: sumOf('waiting'),
    damagedBatches: sumOf('damagedBatches'),
    unconfirmedFrom: oldest.length > 0 ? Math.min(...oldest) : next > 1 ? next : undefined,
    shipments: queues.flatMap(({ shipments }) => shipments),
  };
}
