import type { Sql } from '#storage/sql/sql.ts';

/**
 * Records ids of events, by which they are deduplicated. Returns which of them were new on their site: the first of equal
 * ones, if none was known.
 */
export async function claimEventIds(
  sql: Sql,
  ids: readonly { readonly siteId: string; readonly eventId: string }[],
  at: number,
): Promise<(siteId: string, eventId: string) => boolean> {
  const rows = ids.map(({ siteId, eventId }) => [siteId, toBytes(eventId), at] as const);
  const added = await sql.insert({
    ...{ into: 'event_ids', columns: ['site_id', 'event_id', 'created_at'], rows },
    end: 'ON CONFLICT DO NOTHING RETURNING site_id, event_id',
  });
  const unclaimed = new Set(
    added.map(({ site_id, event_id }) => nameOf(String(site_id), event_id as Uint8Array)),
  );
  return (siteId, eventId) => unclaimed.delete(nameOf(siteId, toBytes(eventId)));
}

function nameOf(siteId: string, eventId: Uint8Array): string {
  return `${siteId} ${Buffer.from(eventId).toString('hex')}`;
}

/** The bytes of a UUID: half the size of its text, and independent of case. */
function toBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}
