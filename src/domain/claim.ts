/** The caller's `Idempotency-Key`, and a digest of its request body. */
export type Claim = { readonly key: string; readonly bodyDigest: string };

/** A claim with the answer to store and replay. */
export type AnsweredClaim = Claim & {
  readonly answer: string;
  /** The visitor id or transaction id that the answer concerns. */
  readonly subject: string;
};

/** The outcome for a key that was used before: the stored answer, or a conflict if the bodies differ. */
export type EarlierAnswer =
  | { readonly kind: 'replayed'; readonly answer: string }
  | { readonly kind: 'idempotency_conflict' };
