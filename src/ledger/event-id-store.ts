import type { DatabaseSync } from 'node:sqlite';

/** The ids of events that count once, for as long as they are kept. */
export interface EventIdStore {
  /** Whether the id is new on its site; it is not afterwards. */
  claim(siteId: string, eventId: string, at: number): boolean;
  /** Deletes some of the oldest ids that came before the instant; false when more are left. */
  purge(before: number): boolean;
}

/** How many ids one purge looks at, so that it never holds up a commit. */
const PURGE_MAX = 5_000;

/** The store on a connection to the ledger. Its writes belong in the caller's transaction. */
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

/** Half the size of the text, and the same for either case. */
function toBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}
