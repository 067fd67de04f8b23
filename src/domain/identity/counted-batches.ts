/** Batches of one journal: every batch in the listed blocks, up to the last batch. */
export type CountedBatches = {
  /** The journal's number, as in batch ids. */
  readonly journal: number;
  /** Id of the last batch. */
  readonly lastBatch: number;
  /** Ids without their lowest {@link BLOCK_BITS}, because all ids may not fit into memory. */
  readonly blocks: readonly number[];
};

/** A block holds 256 batches. */
export const BLOCK_BITS = 8n;
