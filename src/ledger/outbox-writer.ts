import type { DatabaseSync } from 'node:sqlite';
import { toLineOpening } from '#contract/rows/event-lines.ts';
import { checksumOf, numbersAfter } from '#storage/batch.ts';

/** Collects the events of a commit group into outbox batches. */
export interface OutboxWriter {
  begin(): void;
  /** Adds an event, as serialized by `toLineTail`. */
  add(lineTail: string): void;
  end(): void;
}

/** Maximum batch size. A shipment cannot be smaller than a batch, so large groups are split. */
const BATCH_ROWS = 5_000;

/** Creates the writer on a ledger connection. Its writes run in the caller's transaction. */
export function createOutboxWriter(db: DatabaseSync): OutboxWriter {
  const lastSeq = db.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'batches'");
  const insert = db.prepare('INSERT INTO batches (seq, rows, lines, crc) VALUES (?, ?, ?, ?)');
  const openedAfter = numbersAfter(0);
  let lineTails: string[] = [];

  function addBatch(tails: readonly string[]): void {
    const seq = Math.max(Number(lastSeq.get()?.seq ?? 0), openedAfter) + 1;
    // The outbox is journal 0, so its batch ids equal its sequence numbers.
    const lines = Buffer.from(tails.map((tail) => toLineOpening(seq) + tail).join(''));
    insert.run(seq, tails.length, lines, checksumOf({ seq, rows: tails.length, lines }));
  }

  return {
    begin() {
      lineTails = [];
    },
    add: (lineTail) => void lineTails.push(lineTail),
    end() {
      for (let from = 0; from < lineTails.length; from += BATCH_ROWS) {
        addBatch(lineTails.slice(from, from + BATCH_ROWS));
      }
    },
  };
}
