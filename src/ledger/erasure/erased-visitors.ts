import { hash } from 'node:crypto';
import type { Sql } from '#storage/sql/sql.ts';

/** Notes that visitors were erased, by their hashes. */
export async function noteErased(
  sql: Sql,
  siteId: string,
  visitors: readonly string[],
  at: number,
): Promise<void> {
  await sql.insert({
    into: 'erased_visitors',
    columns: ['site_id', 'visitor', 'erased_at'],
    rows: [...new Set(visitors)].map((visitor) => [siteId, hashOf(siteId, visitor), at]),
    end: 'ON CONFLICT (site_id, visitor) DO UPDATE SET erased_at = excluded.erased_at',
  });
}

/** When those of the visitors were erased that were. */
export async function findErasedVisitors(
  sql: Sql,
  siteId: string,
  visitors: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (visitors.length === 0) return new Map();
  const byHash = new Map(visitors.map((visitor) => [hashOf(siteId, visitor), visitor]));
  const rows = await sql.arrays(
    `SELECT visitor, erased_at FROM erased_visitors
     WHERE site_id = ? AND visitor IN (SELECT value FROM json_each(?))`,
    ...[siteId, JSON.stringify([...byHash.keys()])],
  );
  return new Map(rows.map(([each, at]) => [byHash.get(String(each)) ?? '', Number(at)]));
}

function hashOf(siteId: string, visitor: string): string {
  return hash('sha256', `${siteId} ${visitor}`);
}
