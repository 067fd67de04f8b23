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
  reset(): void;
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
    reset() {
      tries = 0;
    },
  };
}
