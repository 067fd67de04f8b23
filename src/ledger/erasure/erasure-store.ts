import { randomUUID } from 'node:crypto';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { readUptimeMs } from '#storage/keep-clock.ts';
import type { SubjectScope } from './erase-person.ts';

/** Numbers of deleted items by kind. */
export type ErasureCounts = {
  readonly visitors?: number;
  readonly events?: number;
  readonly payments?: number;
  readonly identities?: number;
  readonly archived_events?: number;
  /** Damaged bytes that could not be searched. */
  readonly unread_archive_bytes?: number;
};

/** Progress of an erasure: requested; subject known; deleted from all stores; deleted from all files. */
export type ErasureState = 'waiting' | 'running' | 'scrubbing' | 'done';

/** An erasure of a person, or of events past retention, with its progress. */
export type Erasure = {
  readonly id: string;
  readonly siteId: string;
  readonly state: ErasureState;
  readonly counts: ErasureCounts;
  readonly requestedAt: number;
  readonly doneAt: number | undefined;
  /** Retention cut-off: visits that began before it are deleted. Undefined for a person. */
  readonly before: number | undefined;
};

/** Erasure requests. */
export interface ErasureStore {
  /** Durable on return. */
  requestErasure(siteId: string, visitorId: string, scope: SubjectScope): Erasure;
  findErasure(siteId: string, id: string): Erasure | undefined;
}

/** Creates the store on a ledger connection. Its writes run in the caller's transaction. */
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

/** Reads a row of `erasures`. */
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
