/** The first and last batch of a shipment. */
export type SeqRange = { readonly firstSeq: number; readonly lastSeq: number };

/** The number of the ledger's outbox in the ids of its batches. */
export const OUTBOX = 0;
/** The number of this machine's journal in the ids of its batches. */
export const JOURNAL = 1;

/** Batch ids are the journal's number in the high bits and the batch's sequence number below. */
const SEQ_BITS = 40n;

/** The id that every row of a batch carries into the warehouse. */
export function toBatchId(journalNumber: number, seq: number): bigint {
  return (BigInt(journalNumber) << SEQ_BITS) | BigInt(seq);
}

/** The number of the journal in a batch's id. */
export function journalOf(batchId: bigint): number {
  return Number(batchId >> SEQ_BITS);
}

/** What a shipment is inserted and archived under. */
export function toToken(journal: number, { firstSeq, lastSeq }: SeqRange): string {
  return `journal-${journal}-${firstSeq}-${lastSeq}`;
}

/** What a token names; `undefined` when it is of another kind. */
export function parseToken(token: string): (SeqRange & { readonly journal: number }) | undefined {
  const match = /^journal-(\d+)-(\d+)-(\d+)$/.exec(token);
  if (match === null) return undefined;
  const [journal = 0, firstSeq = 0, lastSeq = 0] = match.slice(1).map(Number);
  return { journal, firstSeq, lastSeq };
}

/** The range that a row with the columns `first_seq` and `last_seq` names. */
export function toSeqRange(row: Readonly<Record<string, unknown>>): SeqRange {
  return { firstSeq: Number(row.first_seq), lastSeq: Number(row.last_seq) };
}
