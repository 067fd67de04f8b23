import { randomUUID } from 'node:crypto';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { readUptimeMs } from '#storage/keep-clock.ts';
import type { SubjectScope } from './erase-person.ts';

/** What was taken out of each store. */
export type ErasureCounts = {
  readonly visitors?: number;
  readonly events?: number;
  readonly payments?: number;
  readonly identities?: number;
  readonly archived_events?: number;
  /** Damaged, so that nobody could look into them. */
  readonly unread_archive_bytes?: number;
};

/** How far an erasure is: asked for; its subject known; out of all stores; out of all files. */
export type ErasureState = 'waiting' | 'running' | 'scrubbing' | 'done';

/** A request to forget a person, or what a site keeps no longer, and what became of it. */
export type Erasure = {
  readonly id: string;
  readonly siteId: string;
  readonly state: ErasureState;
  readonly counts: ErasureCounts;
  readonly requestedAt: number;
  readonly doneAt: number | undefined;
  /** What retention deletes: visits that began before; `undefined` for a person. */
  readonly before: number | undefined;
};

/** Requests to forget somebody. */
export interface ErasureStore {
  /** Durable when it returns. */
  requestErasure(siteId: string, visitorId: string, scope: SubjectScope): Erasure;
  findErasure(siteId: string, id: string): Erasure | undefined;
}

/** The store on a connection to the ledger. Its writes belong in the caller's transaction. */
export function createErasureStore(db: DatabaseSync, now: () => number): ErasureStore {
  const insert = db.prepare(
    "INSERT INTO erasures (id, site_id, state, subject, requested_at) VALUES (?, ?, 'waiting', ?, ?)",
  );
  const find = db.prepare('SELECT * FROM erasures WHERE site_id = ? AND id = ? AND before IS NULL');
  return {
    requestErasure(siteId, visitorId, scope) {
      const id = `erasure_${randomUUID()}`;
      const subject = { visitorId, scope, uptimeMs: readUptimeMs() };
      insert.run(id, siteId, JSON.stringify(subject), now());
      return toErasure(find.get(siteId, id) as Record<string, SQLOutputValue>);
    },
    findErasure(siteId, id) {
      const row = find.get(siteId, id);
      return row && toErasure(row);
    },
  };
}

/** A row of `erasures`. */
export function toErasure(row: Record<string, SQLOutputValue>): Erasure {
  return {
    id: String(row.id),
    siteId: String(row.site_id),
    state: row.state as ErasureState,
    counts: JSON.parse(String(row.counts)),
    requestedAt: Number(row.requested_at),
    doneAt: row.done_at == null ? undefined : Number(row.done_at),
    before: row.before == null ? undefined : Number(row.before),
  };
}
