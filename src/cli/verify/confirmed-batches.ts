import type { DataPaths } from '#processes/paths.ts';
import { readQueues } from '#storage/queue-counts.ts';
import { JOURNAL, OUTBOX, toBatchId } from '#storage/shipment-token.ts';

/** The batches that were in warehouse and archive at one instant. */
export interface ConfirmedBatches {
  has(batchId: string): boolean;
  /** SQL of the same, of a column. */
  toSql(column: string): string;
}

/**
 * The batches that are confirmed now: a count of these alone is not misled by what is shipped
 * meanwhile.
 *
 * - Of a queue without a file, all are, as nobody ships from there; so are those of one that never
 *   held any while no server runs.
 */
export function findConfirmedBatches(
  paths: DataPaths,
  { isServing }: { readonly isServing: boolean },
): ConfirmedBatches {
  const queues = readQueues(paths);
  const unconfirmed = [OUTBOX, JOURNAL].flatMap((number) => {
    const queue = queues.get(number);
    if (number === JOURNAL && queue === undefined) return [];
    const seq = queue?.unconfirmedFrom ?? (isServing ? 0 : undefined);
    if (seq === undefined) return [];
    return [{ from: toBatchId(number, seq), to: toBatchId(number + 1, 0) - 1n }];
  });
  return {
    has(batchId) {
      const id = BigInt(batchId);
      return !unconfirmed.some(({ from, to }) => id >= from && id <= to);
    },
    toSql: (column) =>
      unconfirmed.map(({ from, to }) => `${column} NOT BETWEEN ${from} AND ${to}`).join(' AND ') ||
      '1',
  };
}
