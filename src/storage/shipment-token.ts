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

/** What a shipment of the journal is inserted and archived under. */
export function toJournalToken({ firstSeq, lastSeq }: SeqRange): string {
  return `journal-${JOURNAL}-${firstSeq}-${lastSeq}`;
}

/** What a shipment of the ledger's outbox is inserted and archived under. */
export function toOutboxToken({ firstSeq, lastSeq }: SeqRange): string {
  return `ledger-${firstSeq}-${lastSeq}`;
}

/** Whether a shipment of the ledger's outbox has this token. */
export function isOutboxToken(token: string): boolean {
  return token.startsWith('ledger-');
}

/** What a token names: the range, and the journal's number, 0 for the outbox. `undefined` when it is of another kind. */
export function parseToken(token: string): (SeqRange & { readonly journal: number }) | undefined {
  const [, journal = '0', first, last] = /^(?:journal-(\d+)|ledger)-(\d+)-(\d+)$/.exec(token) ?? [];
  if (first === undefined) return undefined;
  return { journal: Number(journal), firstSeq: Number(first), lastSeq: Number(last) };
}

/** The range that a row with the columns `first_seq` and `last_seq` names. */
export function toSeqRange(row: Readonly<Record<string, unknown>>): SeqRange {
  return { firstSeq: Number(row.first_seq), lastSeq: Number(row.last_seq) };
}
