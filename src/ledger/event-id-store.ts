import type { DatabaseSync } from 'node:sqlite';

/** Ids of deduplicated events, kept for a limited time. */
export interface EventIdStore {
  /** Records the id. Returns whether it was new on its site. */
  claim(siteId: string, eventId: string, at: number): boolean;
  /** Deletes some ids from before the instant. Returns false if more are left. */
  purge(before: number): boolean;
}

/** Maximum number of ids per purge, so that it never delays a commit. */
const PURGE_MAX = 5_000;

/** Creates the store on a ledger connection. Its writes run in the caller's transaction. */
export function createEventIdStore(db: DatabaseSync): EventIdStore {
  const insert = db.prepare(
    'INSERT OR IGNORE INTO event_ids (site_id, event_id, created_at) VALUES (?, ?, ?)',
  );
  const purge = db.prepare(`
    DELETE FROM event_ids WHERE id <= (
      SELECT max(id) FROM (SELECT id, created_at FROM event_ids ORDER BY id LIMIT ${PURGE_MAX})
      WHERE created_at < ?)`);

  return {
    claim: (siteId, eventId, at) => insert.run(siteId, toBytes(eventId), at).changes === 1,
    purge: (before) => Number(purge.run(before).changes) < PURGE_MAX,
  };
}

/** The bytes of a UUID: half the size of its text, and independent of case. */
function toBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}
