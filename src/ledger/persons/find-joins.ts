import type { Join } from '#domain/identity/person.ts';
import { isPlaceholderKey } from '#domain/identity/placeholder-keys.ts';
import type { Sql } from '#storage/sql/sql.ts';

/** SQL for what payments and refunds state about visitors of a site (`?2` and `?1`), without voided payments. */
export const STATED_SQL = `
  SELECT visitor_id, customer_id, email FROM payments
  WHERE site_id = ?1 AND visitor_id IN (SELECT value FROM json_each(?2)) AND voided_at IS NULL
  UNION SELECT visitor_id, customer_id, email FROM refunds
  WHERE site_id = ?1 AND visitor_id IN (SELECT value FROM json_each(?2)) AND NOT EXISTS (
    SELECT 1 FROM payments WHERE site_id = ?1 AND transaction_id = original_transaction_id
      AND voided_at IS NOT NULL)`;

/** The reasons why these visitors belong to their person, ordered by visitor. */
export async function findJoins(
  sql: Sql,
  siteId: string,
  visitorIds: readonly string[],
): Promise<readonly Join[]> {
  const joins = (await sql.all(
    `WITH stated AS (${STATED_SQL}), said AS (
       SELECT visitor_id, 'user' AS kind, user_id AS key, 'identify' AS source FROM identities
       WHERE site_id = ?1 AND proof != 'claim'
       UNION SELECT visitor_id, 'email', email, 'identify' FROM identities
       WHERE site_id = ?1 AND proof != 'claim'
       UNION SELECT visitor_id, 'customer', customer_id, 'payment' FROM stated
       UNION SELECT visitor_id, 'email', email, 'payment' FROM stated
     )
     SELECT visitor_id AS "visitorId", kind, key, source FROM said
     WHERE visitor_id IN (SELECT value FROM json_each(?2)) AND key != ''
       AND (visitor_id, kind, key) NOT IN (
         SELECT visitor_id, kind, key FROM separations WHERE site_id = ?1)
     ORDER BY visitor_id, kind DESC, key, source`,
    ...[siteId, JSON.stringify(visitorIds)],
  )) as Join[];
  return joins.filter(
    ({ visitorId, kind, key }) =>
      !isPlaceholderKey('visitor', visitorId) && !isPlaceholderKey(kind, key),
  );
}
