import type { DatabaseSync } from 'node:sqlite';
import { toLineOpening } from '#contract/event-lines.ts';
import { checksumOf, numbersAfter } from '#storage/batch.ts';

/** Gathers a group's events into batches of the outbox. */
export interface OutboxWriter {
  begin(): void;
  /** An event as `toLineTail` writes it. */
  add(lineTail: string): void;
  end(): void;
}

/** A batch is the least that a shipment holds, so a group of many large requests is cut. */
const BATCH_ROWS = 5_000;

/** The writer on a connection to the ledger. Its writes belong in the caller's transaction. */
export function createOutboxWriter(db: DatabaseSync): OutboxWriter {
  const lastSeq = db.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'batches'");
  const insert = db.prepare('INSERT INTO batches (seq, rows, lines, crc) VALUES (?, ?, ?, ?)');
  const openedAfter = numbersAfter(0);
  let lineTails: string[] = [];

  function addBatch(tails: readonly string[]): void {
    const seq = Math.max(Number(lastSeq.get()?.seq ?? 0), openedAfter) + 1;
    // The outbox is journal number 0: its batch ids are its sequence numbers.
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
