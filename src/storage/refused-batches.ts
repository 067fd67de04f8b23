import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { inTransaction } from './durable-database.ts';
import type { QueueTables } from './queue-counts.ts';

/** Lines that were committed together, as a queue of events keeps them. */
export type Batch = {
  readonly seq: number;
  readonly rows: number;
  readonly lines: Uint8Array;
  readonly crc: number;
};

/** Whether the bytes are those that were written. */
export function isSound({ lines, crc }: Batch): boolean {
  return crc32(lines) === crc;
}

/** What is to be done about a shipment that the warehouse cannot read. */
export type RefusalVerdict =
  | { readonly kind: 'ship_up_to'; readonly seq: number }
  | { readonly kind: 'try_again' }
  | { readonly kind: 'set_aside'; readonly seq: number };

/** Finds the batch that cannot be read among those which were shipped with it. */
export interface RefusalSearch {
  /** What to do about the batches `seqs`, oldest first, of the shipment that was just refused. */
  judge(seqs: readonly number[]): RefusalVerdict;
  /** A shipment was taken: tries count anew. */
  settle(): void;
}

/** How often a batch that stands alone is tried before it is set aside. */
const TRIES_MAX = 3;

/** A search that halves a refused shipment until one batch stands alone, and tries that some times. */
export function createRefusalSearch(): RefusalSearch {
  let tries = 0;
  return {
    judge(seqs) {
      const middle = seqs[Math.ceil(seqs.length / 2) - 1];
      if (middle === undefined) return { kind: 'try_again' };
      if (seqs.length > 1) {
        tries = 0;
        return { kind: 'ship_up_to', seq: middle };
      }
      tries += 1;
      if (tries < TRIES_MAX) return { kind: 'try_again' };
      tries = 0;
      return { kind: 'set_aside', seq: middle };
    },
    settle() {
      tries = 0;
    },
  };
}

/**
 * Moves what was set aside and is sound back into its queue: what the warehouse could not read may be
 * read by the one that runs now, after an upgrade, say.
 *
 * - `onBack` is called for each, in the same transaction.
 */
export function takeRefusedBack(
  db: DatabaseSync,
  { batches, damaged }: Pick<QueueTables, 'batches' | 'damaged'>,
  onBack: (batch: Batch) => void = () => {},
): void {
  const setAside = db.prepare(`SELECT * FROM ${damaged}`).all() as unknown as Batch[];
  const refused = setAside.filter(isSound);
  if (refused.length === 0) return;
  const back = db.prepare(
    `INSERT OR IGNORE INTO ${batches} SELECT * FROM ${damaged} WHERE seq = ?`,
  );
  const forget = db.prepare(`DELETE FROM ${damaged} WHERE seq = ?`);
  inTransaction(db, () => {
    for (const batch of refused) {
      back.run(batch.seq);
      forget.run(batch.seq);
      onBack(batch);
    }
  });
}
