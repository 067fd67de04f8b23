import type { DatabaseSync } from 'node:sqlite';
import { preparePurge } from './prepare-purge.ts';

/** Ids of deduplicated events, kept for a limited time. */
export interface EventIdStore {
  /** Records the id. Returns whether it was new on its site. */
  claim(siteId: string, eventId: string, at: number): boolean;
  /** Deletes some ids from before the instant. Returns false if more are left. */
  purge(before: number): boolean;
}

/** Creates the store on a ledger connection. Its writes run in the caller's transaction. */
export function createEventIdStore(db: DatabaseSync): EventIdStore {
  const insert = db.prepare(
    'INSERT OR IGNORE INTO event_ids (site_id, event_id, created_at) VALUES (?, ?, ?)',
  );

  return {
    claim: (siteId, eventId, at) => insert.run(siteId, toBytes(eventId), at).changes === 1,
    purge: preparePurge(db, 'event_ids', 5_000),
  };
}

/** The bytes of a UUID: half the size of its text, and independent of case. */
function toBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}
