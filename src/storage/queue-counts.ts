import { basename } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { listJournalFiles } from './list-journals.ts';
import { type SeqRange, toSeqRange } from './shipment-token.ts';

/** What a durable queue of events says of itself. */
export type QueueCounts = {
  /** Events that the warehouse has confirmed; `undefined` where a damaged or lost file hides it. */
  readonly shipped: number | undefined;
  /** Events of the shipment under way: the warehouse may have none, some or all of them. */
  readonly underWay: number;
  /** Events that are still here, those under way among them. */
  readonly waiting: number;
  /** Batches set aside: damaged, or sound ones that the warehouse cannot read. */
  readonly damagedBatches: number;
  /** The number from which on batches may not be in the warehouse: all below are. */
  readonly unconfirmedFrom: number | undefined;
  /** The shipments under way. */
  readonly shipments: readonly SeqRange[];
};

const TRIES_MAX = 10;

/** The counts of the journal in `folder`, which may be in use meanwhile; `undefined` where there is none. */
export function readJournalCounts(folder: string): QueueCounts | undefined {
  for (let tries = 1; ; tries++) {
    const paths = listJournalFiles(folder);
    const queues = paths.map(tryToRead);
    // A file that was shipped is removed, and its total with it, once another has it.
    const isSame = listJournalFiles(folder).join() === paths.join() && !queues.includes(undefined);
    if (isSame || tries === TRIES_MAX) {
      const found = queues.filter((queue) => queue !== undefined);
      return found.length === 0 ? undefined : addUp(found);
    }
  }
}

/** The counts of one queue, all of one instant. */
export function readQueueCounts(db: DatabaseSync): QueueCounts {
  return addUp([readQueue(db, 0)]);
}

type Queue = Omit<QueueCounts, 'shipped' | 'unconfirmedFrom'> & {
  readonly totals: ReadonlyMap<number, number | null>;
  readonly oldest: number | undefined;
  readonly next: number;
};

function tryToRead(path: string): Queue | undefined {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
    return readQueue(db, Number.parseInt(basename(path), 10));
  } catch {
    return undefined; // It is just being made, or removed.
  } finally {
    db?.close();
  }
}

function readQueue(db: DatabaseSync, firstSeq: number): Queue {
  db.exec('BEGIN');
  try {
    const row = db
      .prepare(`
        SELECT coalesce(sum(rows), 0) AS waiting, min(seq) AS oldest,
          (SELECT coalesce(sum(rows), 0) FROM batches JOIN shipment
            ON batches.seq BETWEEN first_seq AND last_seq) AS under_way,
          (SELECT count(*) FROM set_aside_batches) AS set_aside,
          (SELECT seq FROM sqlite_sequence WHERE name = 'batches') AS last_seq
        FROM batches`)
      .get();
    const totals = db.prepare('SELECT file, shipped_rows FROM totals').all();
    return {
      totals: new Map(
        totals.map(({ file, shipped_rows: rows }) => [Number(file), rows as number | null]),
      ),
      underWay: Number(row?.under_way),
      waiting: Number(row?.waiting),
      damagedBatches: Number(row?.set_aside),
      oldest: row?.oldest == null ? undefined : Number(row.oldest),
      next: Math.max(firstSeq, Number(row?.last_seq ?? 0) + 1),
      shipments: db.prepare('SELECT first_seq, last_seq FROM shipment').all().map(toSeqRange),
    };
  } finally {
    db.exec('COMMIT');
  }
}

/** A total may stand in two files for a moment. */
function addUp(queues: readonly Queue[]): QueueCounts {
  const totals = new Map(queues.flatMap((queue) => [...queue.totals]));
  const oldest = queues.map((queue) => queue.oldest).filter((seq) => seq !== undefined);
  const next = Math.max(...queues.map((queue) => queue.next));
  const sum = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0);
  const known = [...totals.values()].filter((rows) => rows !== null);
  return {
    shipped: known.length === totals.size ? sum(known) : undefined,
    underWay: sum(queues.map(({ underWay }) => underWay)),
    waiting: sum(queues.map(({ waiting }) => waiting)),
    damagedBatches: sum(queues.map(({ damagedBatches }) => damagedBatches)),
    unconfirmedFrom: oldest.length > 0 ? Math.min(...oldest) : next > 1 ? next : undefined,
    shipments: queues.flatMap(({ shipments }) => shipments),
  };
}
