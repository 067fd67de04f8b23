import type { AnsweredClaim, Claim, EarlierAnswer } from '#domain/claim.ts';
import type { Sql, SqlRow } from '#storage/sql/sql.ts';
import { groupBySite } from '../schema/group-by-site.ts';

const FIND = 'SELECT body_digest, answer FROM answers WHERE site_id = ? AND key = ?';

/** The stored answer for this `Idempotency-Key`, if any. */
export async function findAnswer(
  sql: Sql,
  siteId: string,
  claim: Claim,
): Promise<EarlierAnswer | undefined> {
  return toEarlierAnswer(await sql.get(FIND, siteId, claim.key), claim);
}

/** The claims of a group, with the answers that are stored for them. */
export interface GroupAnswers {
  findAnswer(siteId: string, claim: Claim): EarlierAnswer | undefined;
  saveAnswer(siteId: string, claim: AnsweredClaim): void;
  /** Writes the new answers. */
  flush(at: number): Promise<void>;
}

/** Reads the stored answers for the claims of a group. */
export async function readAnswers(
  sql: Sql,
  claims: readonly (readonly [siteId: string, key: string])[],
): Promise<GroupAnswers> {
  const known = new Map<string, SqlRow>();
  const added: (readonly [string, AnsweredClaim])[] = [];
  const nameOf = (siteId: string, key: string) => `${siteId} ${key}`;
  for (const [siteId, keys] of groupBySite(claims)) {
    const rows = await sql.all(
      `SELECT key, body_digest, answer FROM answers
       WHERE site_id = ?1 AND key IN (SELECT value FROM json_each(?2))`,
      ...[siteId, JSON.stringify(keys)],
    );
    for (const row of rows) known.set(nameOf(siteId, String(row.key)), row);
  }
  return {
    findAnswer: (siteId, claim) => toEarlierAnswer(known.get(nameOf(siteId, claim.key)), claim),
    saveAnswer(siteId, claim) {
      added.push([siteId, claim]);
      const { bodyDigest: body_digest, answer } = claim;
      known.set(nameOf(siteId, claim.key), { body_digest, answer });
    },
    async flush(at) {
      await sql.insert({
        into: 'answers',
        columns: ['site_id', 'key', 'body_digest', 'answer', 'subject', 'created_at'],
        rows: added.map(([siteId, { key, bodyDigest, answer, subject }]) => {
          return [siteId, key, bodyDigest, answer, subject, at];
        }),
      });
    },
  };
}

function toEarlierAnswer(row: SqlRow | undefined, claim: Claim): EarlierAnswer | undefined {
  if (row === undefined) return undefined;
  if (row.body_digest !== claim.bodyDigest) return { kind: 'idempotency_conflict' };
  return { kind: 'replayed', answer: String(row.answer) };
}
