/** Batches of one journal: those up to the last that are in certain blocks. */
export type CountedBatches = {
  /** The journal's number in batch ids. */
  readonly journal: number;
  /** As its id. */
  readonly lastBatch: number;
  /** Ids without their lowest {@link BLOCK_BITS}: there may be more ids than fit into memory. */
  readonly blocks: readonly number[];
};

/** A block holds 256 batches. */
export const BLOCK_BITS = 8n;
