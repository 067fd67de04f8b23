import type { DatabaseSync } from 'node:sqlite';

/** The caller's `Idempotency-Key` with a digest of the body it came with. */
export type Claim = { readonly key: string; readonly bodyDigest: string };

/** A claim with the answer that is given to it now and ever after. */
export type AnsweredClaim = Claim & {
  readonly answer: string;
  /** The id of the visitor, or of the transaction, that it is about. */
  readonly subject: string;
};

/** What is answered when a key was claimed before: the same answer, or that the bodies differ. */
export type EarlierAnswer =
  | { readonly kind: 'replayed'; readonly answer: string }
  | { readonly kind: 'idempotency_conflict' };

/** Answers that were given under an `Idempotency-Key`. */
export interface AnswerStore {
  findAnswer(siteId: string, claim: Claim): EarlierAnswer | undefined;
  saveAnswer(siteId: string, claim: AnsweredClaim, at: number): void;
  /** Deletes some of the oldest answers given before the instant; false when more are left. */
  purge(before: number): boolean;
}

/** How many answers one purge looks at, so that it never holds up a commit. */
const PURGE_MAX = 2_000;

/** The store on a connection to the ledger. Its writes belong in the caller's transaction. */
export function createAnswerStore(db: DatabaseSync): AnswerStore {
  const find = db.prepare('SELECT body_digest, answer FROM answers WHERE site_id = ? AND key = ?');
  const insert = db.prepare(
    'INSERT INTO answers (site_id, key, body_digest, answer, subject, created_at) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const purge = db.prepare(`
    DELETE FROM answers WHERE id <= (
      SELECT max(id) FROM (SELECT id, created_at FROM answers ORDER BY id LIMIT ${PURGE_MAX})
      WHERE created_at < ?)`);

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
    purge: (before) => Number(purge.run(before).changes) < PURGE_MAX,
  };
}
