/** The first and last batch of a shipment. */
export type SeqRange = { readonly firstSeq: number; readonly lastSeq: number };

/** The ledger outbox's number in batch ids. */
export const OUTBOX = 0;
/** The journal's number in batch ids. */
export const JOURNAL = 1;

/** A batch id has the journal's number in its high bits and the sequence number in the low 40 bits. */
const SEQ_BITS = 40n;

/** The id that every row of a batch carries in the warehouse. */
export function toBatchId(journalNumber: number, seq: number): bigint {
  return (BigInt(journalNumber) << SEQ_BITS) | BigInt(seq);
}

/** The journal's number in a batch id. */
export function journalOf(batchId: bigint): number {
  return Number(batchId >> SEQ_BITS);
}

/** The token under which a shipment is inserted and archived. */
export function toToken(journal: number, { firstSeq, lastSeq }: SeqRange): string {
  return `journal-${journal}-${firstSeq}-${lastSeq}`;
}

/** The journal and range of a token; undefined if the token has another form. */
export function parseToken(token: string): (SeqRange & { readonly journal: number }) | undefined {
  const match = /^journal-(\d+)-(\d+)-(\d+)$/.exec(token);
  if (match === null) return undefined;
  const [journal = 0, firstSeq = 0, lastSeq = 0] = match.slice(1).map(Number);
  return { journal, firstSeq, lastSeq };
}

/** The range of a row with the columns `first_seq` and `last_seq`. */
export function toSeqRange(row: Readonly<Record<string, unknown>>): SeqRange {
  return { firstSeq: Number(row.first_seq), lastSeq: Number(row.last_seq) };
}
