import type { EventState, InboxCounts } from '#domain/money/provider-event.ts';
import { DAY_MS } from '#domain/time/durations.ts';
import type { Sql } from '#storage/sql/sql.ts';
import { countMissed } from './entry-store.ts';
import { toEvent } from './inbox.ts';
import type { createWalkStore } from './walk-store.ts';

/** How many failed events are listed. */
const FAILED_MAX = 20;

/** Which events are taken again. Test events never are. */
type Replayed = { readonly failed?: boolean; readonly since?: number | undefined };

/** For how long missed payments are shown. */
const MISSED_MS = 7 * DAY_MS;

/** Creates the inbox on a ledger connection. */
export function createInbox(
  sql: Sql,
  now: () => number,
  { listWalks }: Pick<ReturnType<typeof createWalkStore>, 'listWalks'>,
) {
  const countMissedOf = (id: string) => countMissed(sql, id, now() - MISSED_MS);
  return {
    /** How many payments of the last seven days only the poll told of. */
    countMissed: countMissedOf,
    async countInbox(connectionId: string): Promise<InboxCounts> {
      const events = await sql.all(
        `SELECT type, state, count(*) AS count FROM provider_events WHERE connection_id = ?
         GROUP BY type, state ORDER BY type, state`,
        connectionId,
      );
      const payments = await sql.all(
        `SELECT coalesce(found_by, '') AS "foundBy", count(*) AS count FROM provided_payments
         WHERE connection_id = ? GROUP BY coalesce(found_by, '') ORDER BY coalesce(found_by, '')`,
        connectionId,
      );
      const failed = await sql.all(
        `SELECT * FROM provider_events WHERE connection_id = ? AND state = 'failed'
         ORDER BY id DESC LIMIT ${FAILED_MAX}`,
        connectionId,
      );
      return {
        failed: failed.map((row) => ({ ...toEvent(row), why: String(row.error ?? '') })),
        events: events.map(({ type, state, count }) => {
          return { type: String(type), state: state as EventState, count: Number(count) };
        }),
        payments: payments.map(({ foundBy, count }) => {
          return { foundBy: String(foundBy), count: Number(count) };
        }),
        walks: await listWalks(connectionId),
        missed: await countMissedOf(connectionId),
      };
    },
    async findEvent(connectionId: string, eventId: string) {
      const row = await sql.get(
        'SELECT state, error FROM provider_events WHERE connection_id = ? AND event_id = ?',
        ...[connectionId, eventId],
      );
      return row && { state: row.state as EventState, error: row.error?.toString() };
    },
    async findLastEvent(connectionId: string) {
      const row = await sql.get(
        `SELECT * FROM provider_events WHERE connection_id = ? AND state NOT IN ('test', 'erased')
           AND event_id NOT LIKE 'history %'
         ORDER BY id DESC LIMIT 1`,
        connectionId,
      );
      return row && toEvent(row);
    },
    replayEvents(connectionId: string, { failed = false, since = 0 }: Replayed) {
      const states = failed
        ? "state IN ('failed', 'unknown')"
        : "state NOT IN ('test', 'new', 'erased')";
      return sql.run(
        `UPDATE provider_events SET state = 'new'
         WHERE connection_id = ? AND received_at >= ? AND ${states}`,
        ...[connectionId, since],
      );
    },
  };
}
