import { randomUUID } from 'node:crypto';
import type { Erasure, ErasureState } from '#domain/identity/erasure.ts';
import type { SubjectScope } from '#domain/identity/person.ts';
import { readUptimeMs } from '#storage/keep-clock.ts';
import type { Sql, SqlRow } from '#storage/sql/sql.ts';

/** Creates the store on a ledger connection. */
export function createErasureStore(
  sql: Sql,
  { assertInPlace, now }: { assertInPlace(): void; readonly now: () => number },
) {
  return {
    async requestErasure(siteId: string, visitorId: string, scope: SubjectScope): Promise<Erasure> {
      assertInPlace();
      const id = `erasure_${randomUUID()}`;
      const subject = { visitorId, scope, uptimeMs: readUptimeMs() };
      const row = await sql.get(
        `INSERT INTO erasures (id, site_id, state, subject, requested_at)
         VALUES (?, ?, 'waiting', ?, ?) RETURNING *`,
        ...[id, siteId, JSON.stringify(subject), now()],
      );
      return toErasure(row ?? {});
    },
    async findErasure(siteId: string, id: string): Promise<Erasure | undefined> {
      const find = 'SELECT * FROM erasures WHERE site_id = ? AND id = ? AND before IS NULL';
      const row = await sql.get(find, siteId, id);
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
