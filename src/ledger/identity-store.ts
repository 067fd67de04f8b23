import type { DatabaseSync } from 'node:sqlite';
import type { EventRow } from '#contract/event-row.ts';

/** What an identify said of a visitor; empty where it said nothing. */
export type Identity = {
  readonly siteId: string;
  readonly visitorId: string;
  readonly userId: string;
  /** Lower case. */
  readonly email: string;
  readonly at: number;
};

/** What visitors were identified as. */
export interface IdentityStore {
  /** Said again, it is the same identity. */
  saveIdentity(identity: Identity): void;
}

/** How much later the same must be said again to be noted: pages may say it at each view. */
const NOTED_EVERY_MS = 24 * 60 * 60 * 1_000;

/** The store on a connection to the ledger. Its writes belong in the caller's transaction. */
export function createIdentityStore(db: DatabaseSync): IdentityStore {
  const save = db.prepare(`
    INSERT INTO identities (site_id, visitor_id, user_id, email, first_at, last_at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?5)
    ON CONFLICT (site_id, visitor_id, user_id, email) DO UPDATE SET last_at = excluded.last_at
    WHERE excluded.last_at >= last_at + ${NOTED_EVERY_MS}`);
  return {
    saveIdentity({ siteId, visitorId, userId, email, at }) {
      save.run(siteId, visitorId, userId, email, at);
    },
  };
}

const EMAIL_LENGTH_MAX = 254;

/** The identity that an event states, if it is one of identify and not of a bot. */
export function findIdentity(row: EventRow): Identity | undefined {
  if (row.type !== 'identify' || row.bot_class) return undefined;
  const email = row.props?.email?.trim().toLowerCase() ?? '';
  return {
    siteId: row.site_id,
    visitorId: row.visitor_id,
    userId: row.user_id ?? '',
    email: email.length <= EMAIL_LENGTH_MAX ? email : '',
    at: row.accepted_at,
  };
}
