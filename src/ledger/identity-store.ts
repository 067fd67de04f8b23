import type { DatabaseSync } from 'node:sqlite';
import type { EventRow } from '#contract/event-row.ts';
import { isPlaceholderKey } from '#domain/identity/placeholder-keys.ts';

/** What backs an identify: a browser's word, its signature by the site's secret, or an API key. */
export type Proof = 'claim' | 'signature' | 'key';

/** What an identify said of a visitor; empty where it said nothing. */
export type Identity = {
  readonly siteId: string;
  readonly visitorId: string;
  readonly userId: string;
  /** Lower case. */
  readonly email: string;
  readonly proof: Proof;
  readonly at: number;
};

/** What visitors were identified as. */
export interface IdentityStore {
  /**
   * Saves it; said again, it is the same identity. False when a browser names another user id for a
   * visitor who has one: nothing is saved then.
   */
  saveIdentity(identity: Identity): boolean;
}

/** How much later the same must be said again to be noted: pages may say it at each view. */
const NOTED_EVERY_MS = 24 * 60 * 60 * 1_000;

/** The store on a connection to the ledger. Its writes belong in the caller's transaction. */
export function createIdentityStore(db: DatabaseSync): IdentityStore {
  const save = db.prepare(`
    INSERT INTO identities (site_id, visitor_id, user_id, email, proof, first_at, last_at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)
    ON CONFLICT (site_id, visitor_id, user_id, email, proof) DO UPDATE SET last_at = excluded.last_at
    WHERE excluded.last_at >= last_at + ${NOTED_EVERY_MS}`);
  const knownUsers = db.prepare(
    "SELECT user_id FROM identities WHERE site_id = ? AND visitor_id = ? AND user_id != ''",
  );
  return {
    saveIdentity({ siteId, visitorId, userId, email, proof, at }) {
      if (proof !== 'key') {
        const known = knownUsers.all(siteId, visitorId);
        if (known.length > 0 && !known.some((row) => row.user_id === userId)) return false;
      }
      save.run(siteId, visitorId, userId, email, proof, at);
      return true;
    },
  };
}

const EMAIL_LENGTH_MAX = 254;

/**
 * The identity that an event states, if it is one of identify and not of a bot.
 *
 * - Only a key is believed about an e-mail address. A browser's user id that is nobody's is none, so
 *   that it does not stand in the way of the real one.
 */
export function findIdentity(row: EventRow, proof: Proof): Identity | undefined {
  if (row.type !== 'identify' || row.bot_class) return undefined;
  const userId = row.user_id ?? '';
  if (proof !== 'key' && isPlaceholderKey('user', userId)) return undefined;
  const email = (proof === 'key' && row.props?.email?.trim().toLowerCase()) || '';
  return {
    siteId: row.site_id,
    visitorId: row.visitor_id,
    userId,
    email: email.length <= EMAIL_LENGTH_MAX ? email : '',
    proof,
    at: row.accepted_at,
  };
}
