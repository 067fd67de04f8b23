import type { StatedFacts } from '#domain/money/provider-event.ts';
import type { Sql } from '#storage/sql/sql.ts';

/** Replaces what events state. */
export async function saveFacts(
  sql: Sql,
  connectionId: string,
  stated: readonly StatedFacts[],
): Promise<void> {
  const events = JSON.stringify(stated.map(({ eventId }) => eventId));
  await sql.run(
    `DELETE FROM provider_ids WHERE connection_id = ?
       AND event_id IN (SELECT value FROM json_each(?))`,
    ...[connectionId, events],
  );
  await sql.run(
    `DELETE FROM provider_facts WHERE connection_id = ?
       AND event_id IN (SELECT value FROM json_each(?))`,
    ...[connectionId, events],
  );
  await sql.insert({
    into: 'provider_facts',
    columns: ['connection_id', 'event_id', 'facts'],
    rows: stated
      .filter(({ ids }) => ids.length > 0)
      .map(({ eventId, facts }) => [connectionId, eventId, facts]),
  });
  await sql.insert({
    into: 'provider_ids',
    columns: ['connection_id', 'id', 'event_id'],
    rows: stated.flatMap(({ eventId, ids }) => ids.map((id) => [connectionId, id, eventId])),
  });
}

/** The events that have one of these ids, and those that have one of their ids, and so on: event ids and facts. */
export async function findTogether(
  sql: Sql,
  connectionId: string,
  ids: readonly string[],
  toLead: (id: string) => string | undefined,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const asked = new Set(ids);
  for (let next = [...asked]; next.length > 0; ) {
    const rows = await findEvents(sql, connectionId, next);
    const fresh = rows.filter(({ eventId }) => !found.has(eventId));
    for (const { eventId, facts } of fresh) found.set(eventId, facts);
    const others = await findIds(sql, connectionId, fresh);
    next = others.flatMap((id) => toLead(id) ?? []).filter((id) => !asked.has(id));
    for (const id of next) asked.add(id);
  }
  return found;
}

async function findEvents(sql: Sql, connectionId: string, ids: readonly string[]) {
  const rows = await sql.arrays(
    `SELECT event_id, facts FROM provider_facts WHERE connection_id = ?1 AND event_id IN (
       SELECT event_id FROM provider_ids
       WHERE connection_id = ?1 AND id IN (SELECT value FROM json_each(?2)))`,
    ...[connectionId, JSON.stringify(ids)],
  );
  return rows.map(([eventId, facts]) => ({ eventId: String(eventId), facts: String(facts) }));
}

/** The other connections of the site with facts under one of these ids. */
export async function findOthersWith(
  sql: Sql,
  { siteId, id: connectionId }: { readonly siteId: string; readonly id: string },
  ids: readonly string[],
) {
  const rows = await sql.arrays(
    `SELECT DISTINCT connection_id, id FROM provider_ids
     WHERE connection_id IN (SELECT id FROM connections WHERE site_id = ? AND id <> ?)
       AND id IN (SELECT value FROM json_each(?))`,
    ...[siteId, connectionId, JSON.stringify(ids)],
  );
  return rows.map(([other, id]) => ({ connectionId: String(other), id: String(id) }));
}

/** The first ids of a series, which begin with its name and a space, in the order of the alphabet. */
export async function findFirst(
  sql: Sql,
  connectionId: string,
  series: string,
  limit: number,
): Promise<string[]> {
  const rows = await sql.arrays(
    `SELECT DISTINCT id FROM provider_ids WHERE connection_id = ? AND id > ? AND id < ?
     ORDER BY id LIMIT ?`,
    ...[connectionId, `${series} `, `${series}!`, limit],
  );
  return rows.map(([id]) => String(id));
}

/** The first id of each series that has one. */
export async function findEachFirst(
  sql: Sql,
  connectionId: string,
  series: readonly string[],
): Promise<(readonly [series: string, id: string])[]> {
  const rows = await sql.arrays(
    `SELECT value, (SELECT id FROM provider_ids WHERE connection_id = ?1
       AND id > value || ' ' AND id < value || '!' ORDER BY id LIMIT 1)
     FROM (SELECT value FROM json_each(?2)) AS asked`,
    ...[connectionId, JSON.stringify(series)],
  );
  return rows.flatMap(([name, id]) => (id === null ? [] : [[String(name), String(id)] as const]));
}

/** The ids of events. Without a named index, SQLite reads all ids of the connection. */
export async function findIds(
  sql: Sql,
  connectionId: string,
  events: readonly { readonly eventId: string }[],
): Promise<string[]> {
  if (events.length === 0) return [];
  const rows = await sql.arrays(
    `SELECT DISTINCT id FROM provider_ids INDEXED BY provider_ids_by_event
     WHERE connection_id = ? AND event_id IN (SELECT value FROM json_each(?))`,
    ...[connectionId, JSON.stringify(events.map(({ eventId }) => eventId))],
  );
  return rows.map(([id]) => String(id));
}
