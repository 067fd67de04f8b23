import type { DropCount, DropSample, FoundDrops } from '#domain/visit/dropped-events.ts';
import type { Sql } from '#storage/sql/sql.ts';

const SAMPLES_MAX = 20;
const KEPT_MS = 90 * 86_400_000;

/** Adds to the counts and samples, and deletes old ones. */
export async function saveDrops(
  sql: Sql,
  counts: readonly DropCount[],
  samples: readonly DropSample[],
): Promise<void> {
  for (const { siteId, reason, hourAt, count } of counts) {
    await sql.run(
      `INSERT INTO drops (site_id, reason, hour_at, count) VALUES (?, ?, ?, ?)
       ON CONFLICT (site_id, hour_at, reason) DO UPDATE SET count = drops.count + excluded.count`,
      ...[siteId, reason, hourAt, count],
    );
  }
  await sql.insert({
    into: 'drop_samples',
    columns: ['site_id', 'reason', 'hour_at', 'type', 'host', 'path'],
    rows: samples.map(({ siteId, reason, hourAt, type, host, path }) => {
      return [siteId, reason, hourAt, type, host, path];
    }),
  });
  const kinds = new Map(
    samples.map(({ siteId, reason }) => [`${siteId} ${reason}`, [siteId, reason]]),
  );
  for (const kind of kinds.values()) {
    await sql.run(
      `DELETE FROM drop_samples WHERE site_id = ?1 AND reason = ?2 AND id <= (
        SELECT id FROM drop_samples WHERE site_id = ?1 AND reason = ?2
        ORDER BY id DESC LIMIT 1 OFFSET ${SAMPLES_MAX})`,
      ...kind,
    );
  }
  const last = counts.at(-1);
  if (last === undefined) return;
  for (const table of ['drops', 'drop_samples']) {
    await sql.run(`DELETE FROM ${table} WHERE hour_at < ?`, last.hourAt - KEPT_MS);
  }
}

/** Dropped events of a site, by hour. */
export async function findDrops(
  sql: Sql,
  siteId: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<FoundDrops> {
  const during = 'site_id = ? AND hour_at >= ? AND hour_at < ?';
  const counts = await sql.all(
    `SELECT site_id AS "siteId", reason, hour_at AS "hourAt", count FROM drops
     WHERE ${during} ORDER BY hour_at, reason`,
    ...[siteId, from, to],
  );
  const samples = await sql.all(
    `SELECT site_id AS "siteId", reason, hour_at AS "hourAt", type, host, path FROM drop_samples
     WHERE ${during} ORDER BY id DESC`,
    ...[siteId, from, to],
  );
  return { counts: counts as DropCount[], samples: samples as DropSample[] };
}
