import type { EventRow } from '#contract/rows/event-row.ts';
import type { Identity, Proof } from '#domain/identity/identity.ts';
import { normalizeEmail } from '#domain/identity/normalize-email.ts';
import { isPlaceholderKey } from '#domain/identity/placeholder-keys.ts';
import type { Sql } from '#storage/sql/sql.ts';

/** Minimum interval for updating `last_at`, because pages may identify at every pageview. */
const UPDATE_EVERY_MS = 86_400_000;

/**
 * Saves an identity. Idempotent. Returns false, and saves nothing, if a browser reports a different user id than the
 * visitor has.
 */
export async function saveIdentity(sql: Sql, identity: Identity): Promise<boolean> {
  const { siteId, visitorId, userId, email, proof, at } = identity;
  if (proof !== 'key') {
    const known = await sql.all(
      "SELECT user_id FROM identities WHERE site_id = ? AND visitor_id = ? AND user_id != ''",
      ...[siteId, visitorId],
    );
    if (known.length > 0 && !known.some((row) => row.user_id === userId)) return false;
  }
  await sql.run(
    `INSERT INTO identities (site_id, visitor_id, user_id, email, proof, first_at, last_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)
     ON CONFLICT (site_id, visitor_id, user_id, email, proof) DO UPDATE SET last_at = excluded.last_at
     WHERE excluded.last_at >= identities.last_at + ${UPDATE_EVERY_MS}`,
    ...[siteId, visitorId, userId, email, proof, at],
  );
  return true;
}

const EMAIL_LENGTH_MAX = 254;

/**
 * The identity that an event states, if it is an identify and not from a bot.
 *
 * - E-mail addresses are accepted only with a key. A placeholder user id from a browser is ignored, so that it
 *   does not block the real one.
 */
export function findIdentity(row: EventRow, proof: Proof): Identity | undefined {
  if (row.type !== 'identify' || row.bot_class) return undefined;
  const userId = row.user_id ?? '';
  if (proof !== 'key' && isPlaceholderKey('user', userId)) return undefined;
  const email = proof === 'key' ? normalizeEmail(row.props?.email ?? '') : '';
  return {
    siteId: row.site_id,
    visitorId: row.visitor_id,
    userId,
    email: email.length <= EMAIL_LENGTH_MAX ? email : '',
    proof,
    at: row.accepted_at,
  };
}
