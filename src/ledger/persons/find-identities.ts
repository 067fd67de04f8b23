import type { StatedIdentity } from '#domain/identity/person.ts';
import type { Sql } from '#storage/sql/sql.ts';

/** The identities reported for these visitors, earliest first. */
export async function findIdentities(
  sql: Sql,
  siteId: string,
  visitorIds: readonly string[],
): Promise<readonly StatedIdentity[]> {
  const find = `SELECT visitor_id AS "visitorId", user_id AS "userId", email, proof, first_at AS "firstAt",
      last_at AS "lastAt"
    FROM identities WHERE site_id = ? AND visitor_id IN (SELECT value FROM json_each(?))
    ORDER BY first_at, id`;
  const found = await sql.all(find, siteId, JSON.stringify(visitorIds));
  return found as unknown as StatedIdentity[];
}
