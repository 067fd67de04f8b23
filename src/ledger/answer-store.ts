import type { DatabaseSync } from 'node:sqlite';
import { preparePurge } from './prepare-purge.ts';

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

/** Stored answers by `Idempotency-Key`. */
export interface AnswerStore {
  findAnswer(siteId: string, claim: Claim): EarlierAnswer | undefined;
  saveAnswer(siteId: string, claim: AnsweredClaim, at: number): void;
  /** Deletes some answers from before the instant. Returns false if more are left. */
  purge(before: number): boolean;
}

/** Creates the store on a ledger connection. Its writes run in the caller's transaction. */
export function createAnswerStore(db: DatabaseSync): AnswerStore {
  const find = db.prepare('SELECT body_digest, answer FROM answers WHERE site_id = ? AND key = ?');
  const insert = db.prepare(
    'INSERT INTO answers (site_id, key, body_digest, answer, subject, created_at) VALUES (?, ?, ?, ?, ?, ?)',
  );

  return {
    findAnswer(siteId, { key, bodyDigest }) {
      const row = find.get(siteId, key);
      if (row === undefined) return undefined;
      if (row.body_digest !== bodyDigest) return { kind: 'idempotency_conflict' };
      return { kind: 'replayed', answer: String(row.answer) };
    },
    saveAnswer(siteId, { key, bodyDigest, answer, subject }, at) {
      insert.run(siteId, key, bodyDigest, answer, subject, at);
    },
    purge: preparePurge(db, 'answers', 2_000),
  };
}
