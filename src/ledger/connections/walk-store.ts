import type { HistoryPage, Walk, WalkKind, WantedObject } from '#domain/money/walk.ts';
import { HOUR_MS, MINUTE_MS } from '#domain/time/durations.ts';
import type { Database, Sql, SqlRow, SqlValue } from '#storage/sql/sql.ts';
import { saveEntries } from './entry-store.ts';

/** Longer than any request of a walk takes. */
const HELD_MS = 2 * MINUTE_MS;

const COLUMNS = `connection_id, kind, since, until, list, "cursor", pages, reached_at, failures, error,
  left_out, due_at, ended_at`;

/**
 * Walks through the history of connections, and objects that their events name. One process at a time holds a walk, and
 * only for a while.
 */
export function createWalkStore(db: Database, now: () => number) {
  const begin = (sql: Sql, { connectionId, kind, since, dueAt }: BegunWalk, onConflict: string) =>
    sql.run(
      `INSERT INTO provider_walks (connection_id, kind, since, until, due_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (connection_id, kind) DO UPDATE SET ${onConflict}`,
      ...[connectionId, kind, since, now(), dueAt],
    );

  return {
    async listWalks(connectionId: string): Promise<readonly Walk[]> {
      const rows = await db.all(
        `SELECT ${COLUMNS} FROM provider_walks WHERE connection_id = ? ORDER BY kind`,
        connectionId,
      );
      return rows.map(toWalk);
    },
    /** Begins a walk through the history from its first page, even if an earlier one ended. */
    async restartHistory(connectionId: string, since: number): Promise<void> {
      await begin(db, { connectionId, kind: 'history', since, dueAt: now() }, ANEW);
    },
    /** Begins history and poll, or lets them go on where they failed. */
    resumeWalks: (connectionId: string, since = 0): Promise<void> =>
      db.transaction(async (sql) => {
        const at = now();
        await begin(sql, { connectionId, kind: 'history', since, dueAt: at }, IF_FAILED);
        const pollAt = at + HOUR_MS;
        await begin(sql, { connectionId, kind: 'poll', since: at, dueAt: pollAt }, IF_FAILED);
      }),
    /** Takes hold of a walk that is due. Undefined if none is. */
    async holdWalk(
      holder: string,
      of?: Pick<Walk, 'connectionId' | 'kind'>,
    ): Promise<Walk | undefined> {
      const at = now();
      const isIt = of === undefined ? '' : 'AND connection_id = ? AND kind = ?';
      const row = await db.get(
        `SELECT ${COLUMNS} FROM provider_walks
         WHERE due_at <= ? AND coalesce(held_until, 0) < ? ${isIt}
           AND connection_id IN (SELECT id FROM connections WHERE removed_at IS NULL)
         ORDER BY due_at LIMIT 1`,
        ...[at, at, ...(of === undefined ? [] : [of.connectionId, of.kind])],
      );
      if (row === undefined) return undefined;
      // Another process may have been faster, and be at the end of it by now.
      const held = await db.run(
        `UPDATE provider_walks SET holder = ?, held_until = ? WHERE connection_id = ? AND kind = ?
           AND coalesce(held_until, 0) < ? AND due_at = ? AND pages = ?`,
        ...[holder, at + HELD_MS, row.connection_id ?? '', row.kind ?? ''],
        ...[at, row.due_at ?? 0, row.pages ?? 0],
      );
      return held === 0 ? undefined : toWalk(row);
    },
    /** Saves where a walk stands, with what was on its page. Returns whether it is still held. */
    saveStep: (holder: string, walk: Walk, page: HistoryPage): Promise<boolean> =>
      db.transaction(async (sql) => {
        const saved = await sql.run(
          `UPDATE provider_walks SET since = ?, until = ?, list = ?, "cursor" = ?, pages = ?,
             reached_at = ?, failures = ?, error = ?, left_out = ?, due_at = ?, ended_at = ?,
             held_until = ? WHERE connection_id = ? AND kind = ? AND holder = ?`,
          ...[...toValues(walk), now() + HELD_MS, walk.connectionId, walk.kind, holder],
        );
        if (saved === 0) return false;
        const isPolled = walk.kind === 'poll';
        await saveEntries(sql, walk.connectionId, page, { at: now(), isPolled });
        return true;
      }),
    async releaseWalk(holder: string, { connectionId, kind }: Walk): Promise<void> {
      await db.run(
        `UPDATE provider_walks SET holder = NULL, held_until = NULL
         WHERE connection_id = ? AND kind = ? AND holder = ?`,
        ...[connectionId, kind, holder],
      );
    },
    /** The oldest objects that events of a connection name, and that are not fetched yet. */
    async findWanted(connectionId: string, limit: number): Promise<readonly WantedObject[]> {
      const rows = await db.all(
        `SELECT event_id, wanted FROM provider_events
         WHERE wanted IS NOT NULL AND connection_id = ? ORDER BY id LIMIT ?`,
        ...[connectionId, limit],
      );
      return rows.map(({ event_id: eventId, wanted }) => {
        const { list, path } = JSON.parse(String(wanted));
        return { eventId: String(eventId), list, path };
      });
    },
    /** Records the object that an event names, or why there is none. */
    saveWanted: (
      connectionId: string,
      eventId: string,
      found: HistoryPage | string,
    ): Promise<void> =>
      db.transaction(async (sql) => {
        const error = typeof found === 'string' ? found : found.fault;
        await sql.run(
          `UPDATE provider_events SET wanted = NULL, state = ?, error = ?
           WHERE connection_id = ? AND event_id = ? AND wanted IS NOT NULL`,
          ...[error === undefined ? 'done' : 'failed', error ?? null, connectionId, eventId],
        );
        if (typeof found === 'string')
          return noteError(sql, connectionId, `Event ${eventId}: ${found}`, now());
        await saveEntries(sql, connectionId, found, { at: now(), isPolled: false });
        // What it said before its object was there.
        await sql.run(
          `UPDATE connections SET last_error = NULL, last_error_at = NULL
           WHERE id = ? AND last_error LIKE ?`,
          ...[connectionId, `Event ${eventId}: %`],
        );
      }),
    /** The connections whose events name objects. */
    async listWanting(): Promise<readonly string[]> {
      const rows = await db.all(
        'SELECT DISTINCT connection_id FROM provider_events WHERE wanted IS NOT NULL',
      );
      return rows.map(({ connection_id: id }) => String(id));
    },
  };
}

type BegunWalk = Pick<Walk, 'connectionId' | 'kind' | 'since'> & { readonly dueAt: number };

const GOES_ON = `failures = 0, error = NULL, left_out = NULL, ended_at = NULL,
  due_at = excluded.due_at, holder = NULL, held_until = NULL`;
const ANEW = `${GOES_ON}, since = excluded.since, until = excluded.until, list = NULL, "cursor" = NULL,
  pages = 0, reached_at = NULL`;
/** Where a list was left out, it begins at its first list again. */
const IF_FAILED = `${GOES_ON},
  list = CASE WHEN provider_walks.left_out IS NULL THEN provider_walks.list END,
  "cursor" = CASE WHEN provider_walks.left_out IS NULL THEN provider_walks."cursor" END
  WHERE coalesce(provider_walks.error, provider_walks.left_out) IS NOT NULL`;

async function noteError(sql: Sql, connectionId: string, error: string, at: number) {
  const note = 'UPDATE connections SET last_error = ?, last_error_at = ? WHERE id = ?';
  await sql.run(note, error, at, connectionId);
}

function toValues(walk: Walk): SqlValue[] {
  return [
    ...[walk.since, walk.until, walk.list ?? null, walk.cursor ?? null, walk.pages],
    ...[walk.reachedAt ?? null, walk.failures, walk.error ?? null, walk.leftOut ?? null],
    ...[walk.dueAt ?? null, walk.endedAt ?? null],
  ];
}

function toWalk(row: SqlRow): Walk {
  const text = (value: SqlValue | undefined) => (value === null ? undefined : String(value));
  const whole = (value: SqlValue | undefined) => (value === null ? undefined : Number(value));
  return {
    ...{ connectionId: String(row.connection_id), kind: row.kind as WalkKind },
    ...{ since: Number(row.since), until: Number(row.until), pages: Number(row.pages) },
    ...{ list: text(row.list), cursor: text(row.cursor), reachedAt: whole(row.reached_at) },
    ...{ failures: Number(row.failures), error: text(row.error), leftOut: text(row.left_out) },
    ...{ dueAt: whole(row.due_at), endedAt: whole(row.ended_at) },
  };
}
