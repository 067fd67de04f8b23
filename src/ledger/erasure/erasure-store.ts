import { randomUUID } from 'node:crypto';
import { readUptimeMs } from '#storage/keep-clock.ts';
import type { Sql, SqlRow } from '#storage/sql/sql.ts';
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
  /** Durable when it resolves. */
  requestErasure(siteId: string, visitorId: string, scope: SubjectScope): Promise<Erasure>;
  findErasure(siteId: string, id: string): Promise<Erasure | undefined>;
}

/** Creates the store on a ledger connection. */
export function createErasureStore(sql: Sql, now: () => number): ErasureStore {
  return {
    async requestErasure(siteId, visitorId, scope) {
      const id = `erasure_${randomUUID()}`;
      const subject = { visitorId, scope, uptimeMs: readUptimeMs() };
      const row = await sql.get(
        `INSERT INTO erasures (id, site_id, state, subject, requested_at)
         VALUES (?, ?, 'waiting', ?, ?) RETURNING *`,
        ...[id, siteId, JSON.stringify(subject), now()],
      );
      return toErasure(row ?? {});
    },
    async findErasure(siteId, id) {
      const row = await sql.get(
        'SELECT * FROM erasures WHERE site_id = ? AND id = ? AND before IS NULL',
        ...[siteId, id],
      );
      return row && toErasure(row);
    },
  };
}

/** Reads a row of `erasures`. */
export function toErasure(row: SqlRow): Erasure {
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
