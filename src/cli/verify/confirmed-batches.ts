import { readQueues } from '#ledger/read-queues.ts';
import type { DataPaths } from '#processes/paths.ts';
import { JOURNAL, OUTBOX, toBatchId } from '#storage/shipment-token.ts';

/** The batches that were in warehouse and archive when somebody looked. */
export interface ConfirmedBatches {
  has(batchId: string): boolean;
  /** SQL of the same, of a column. */
  toSql(column: string): string;
}

/**
 * Looks which batches are confirmed: whoever counts these alone is not misled by what is shipped
 * meanwhile.
 *
 * - Shape: of a queue without a file, all are, as nobody ships from there; so are those of one that
 *   never held any while no server runs.
 */
export function findConfirmedBatches(
  paths: DataPaths,
  { isServing }: { readonly isServing: boolean },
): ConfirmedBatches {
  const queues = readQueues(paths);
  const bounds = new Map<bigint, bigint>();
  const note = (number: number, unconfirmed: number | undefined) => {
    const seq = unconfirmed ?? (isServing ? 0 : undefined);
    if (seq !== undefined) bounds.set(BigInt(number), toBatchId(number, seq));
  };
  note(OUTBOX, queues.get(OUTBOX)?.unconfirmedFrom);
  if (queues.has(JOURNAL)) note(JOURNAL, queues.get(JOURNAL)?.unconfirmedFrom);
  return {
    has(batchId) {
      const id = BigInt(batchId);
      const bound = bounds.get(id >> SEQ_BITS);
      return bound === undefined || id < bound;
    },
    toSql: (column) =>
      [...bounds]
        .map(([number, from]) => ({ from, to: ((number + 1n) << SEQ_BITS) - 1n }))
        .map(({ from, to }) => `${column} NOT BETWEEN ${from} AND ${to}`)
        .join(' AND ') || '1',
  };
}

const SEQ_BITS = 40n;
