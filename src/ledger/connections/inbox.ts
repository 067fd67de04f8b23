import type { InboxEvent, NotedState } from '#domain/money/provider-event.ts';
import type { Sql, SqlRow } from '#storage/sql/sql.ts';

/** Saves the events of a group. Returns for each whether it is new. */
export async function saveEvents(sql: Sql, events: readonly InboxEvent[]): Promise<boolean[]> {
  if (events.length === 0) return [];
  const nameOf = (connectionId: unknown, eventId: unknown) => `${connectionId} ${eventId}`;
  const first = new Map(events.map((each) => [nameOf(each.connectionId, each.eventId), each]));
  const saved = await sql.insert({
    into: 'provider_events',
    columns: [
      ...['connection_id', 'event_id', 'type', 'is_test', 'received_at', 'headers', 'body'],
      'state',
    ],
    rows: [...first.values()].map((event) => [
      ...[event.connectionId, event.eventId, event.type, Number(event.isTest), event.receivedAt],
      ...[JSON.stringify(event.headers), event.body, event.isTest ? 'test' : 'new'],
    ]),
    end: 'ON CONFLICT (connection_id, event_id) DO NOTHING RETURNING connection_id, event_id',
  });
  const isNew = new Set(saved.map((row) => nameOf(row.connection_id, row.event_id)));
  const last = new Map(events.map((event) => [event.connectionId, event.receivedAt]));
  for (const [id, at] of last) {
    await sql.run(
      'UPDATE connections SET last_event_at = ?1 WHERE id = ?2 AND coalesce(last_event_at, 0) < ?1',
      ...[at, id],
    );
  }
  return events.map(({ connectionId, eventId }) => isNew.delete(nameOf(connectionId, eventId)));
}

/**
 * The oldest events that wait, of one connection.
 *
 * Why the connection is no condition of the statement: the index by age would be chosen, which has all its events.
 */
export async function findWaiting(sql: Sql, limit: number): Promise<InboxEvent[]> {
  const rows = await sql.all(
    `SELECT * FROM provider_events WHERE state = 'new' ORDER BY id LIMIT ?`,
    limit,
  );
  return rows.filter((row) => row.connection_id === rows[0]?.connection_id).map(toEvent);
}

/** Notes what became of events. */
export async function noteStates(
  sql: Sql,
  connectionId: string,
  noted: readonly NotedState[],
): Promise<void> {
  const nameOf = ({ state, error, wanted }: NotedState) => JSON.stringify([state, error, wanted]);
  for (const of of Map.groupBy(noted, nameOf).values()) {
    const { state = 'done', error, wanted } = of[0] ?? {};
    await sql.run(
      `UPDATE provider_events SET state = ?, error = ?, wanted = ?, attempts = attempts + 1${state === 'erased' ? ", headers = '{}', body = ''" : ''}
       WHERE connection_id = ? AND event_id IN (SELECT value FROM json_each(?))`,
      ...[state, error ?? null, wanted === undefined ? null : JSON.stringify(wanted)],
      ...[connectionId, JSON.stringify(of.map(({ eventId }) => eventId))],
    );
  }
}

/** Reads a row of `provider_events`. */
export function toEvent(row: SqlRow): InboxEvent {
  return {
    connectionId: String(row.connection_id),
    eventId: String(row.event_id),
    type: String(row.type),
    isTest: row.is_test === 1,
    receivedAt: Number(row.received_at),
    headers: JSON.parse(String(row.headers)),
    body: String(row.body),
  };
}
