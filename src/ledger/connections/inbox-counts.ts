import type { Sql } from '#storage/sql/sql.ts';
import { type EventState, type InboxEvent, toEvent } from './inbox.ts';

/** How many events of a type have a state. */
export type EventCount = {
  readonly type: string;
  readonly state: EventState;
  readonly count: number;
};

/** What came of a connection's events. */
export type InboxCounts = {
  readonly events: readonly EventCount[];
  /** Payments by how their visitor was found; empty for those without. */
  readonly payments: readonly { readonly foundBy: string; readonly count: number }[];
  /** The latest events that failed. */
  readonly failed: readonly FailedEvent[];
};

/** An event that failed, and why. */
type FailedEvent = Pick<InboxEvent, 'eventId' | 'type' | 'receivedAt'> & { readonly why: string };

/** How many failed events are listed. */
const FAILED_MAX = 20;

/** Which events are taken again. Test events never are. */
export type Replayed = { readonly failed?: boolean; readonly since?: number | undefined };

/** Counts and repeats what is in the inbox. */
export interface Inbox {
  countInbox(connectionId: string): Promise<InboxCounts>;
  /** The state of an event and the reason for it. */
  findEvent(
    connectionId: string,
    eventId: string,
  ): Promise<{ readonly state: EventState; readonly error: string | undefined } | undefined>;
  /** The event that arrived last, tests aside. */
  findLastEvent(connectionId: string): Promise<InboxEvent | undefined>;
  /** Lets events be taken again. Returns their number. */
  replayEvents(connectionId: string, which: Replayed): Promise<number>;
}

/** Creates the inbox on a ledger connection. */
export function createInbox(sql: Sql): Inbox {
  return {
    async countInbox(connectionId) {
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
      };
    },
    async findEvent(connectionId, eventId) {
      const row = await sql.get(
        'SELECT state, error FROM provider_events WHERE connection_id = ? AND event_id = ?',
        ...[connectionId, eventId],
      );
      return row && { state: row.state as EventState, error: row.error?.toString() };
    },
    async findLastEvent(connectionId) {
      const row = await sql.get(
        `SELECT * FROM provider_events WHERE connection_id = ? AND state NOT IN ('test', 'erased')
         ORDER BY id DESC LIMIT 1`,
        connectionId,
      );
      return row && toEvent(row);
    },
    replayEvents(connectionId, { failed = false, since = 0 }) {
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
