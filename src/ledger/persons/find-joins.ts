import type { DatabaseSync } from 'node:sqlite';
import { isPlaceholderKey } from '#domain/identity/placeholder-keys.ts';

/** A reason why a visitor belongs to a person: an identifier, and the source that reported it. */
export type Join = {
  readonly visitorId: string;
  readonly kind: 'user' | 'customer' | 'email';
  readonly key: string;
  readonly source: 'identify' | 'payment';
};

/** The reasons why these visitors belong to their person, ordered by visitor. */
export function findJoins(
  db: DatabaseSync,
  siteId: string,
  visitorIds: readonly string[],
): readonly Join[] {
  const joins = db
    .prepare(`
      WITH said AS (
        SELECT visitor_id, 'user' AS kind, user_id AS key, 'identify' AS source FROM identities
        WHERE site_id = ?1 AND proof != 'claim'
        UNION SELECT visitor_id, 'email', email, 'identify' FROM identities
        WHERE site_id = ?1 AND proof != 'claim'
        UNION SELECT visitor_id, 'customer', customer_id, 'payment' FROM payments WHERE site_id = ?1
        UNION SELECT visitor_id, 'email', email, 'payment' FROM payments WHERE site_id = ?1
        UNION SELECT visitor_id, 'customer', customer_id, 'payment' FROM refunds WHERE site_id = ?1
        UNION SELECT visitor_id, 'email', email, 'payment' FROM refunds WHERE site_id = ?1
      )
      SELECT visitor_id, kind, key, source FROM said
      WHERE visitor_id IN (SELECT value FROM json_each(?2)) AND key != ''
        AND (visitor_id, kind, key) NOT IN (
          SELECT visitor_id, kind, key FROM separations WHERE site_id = ?1)
      ORDER BY visitor_id, kind DESC, key, source`)
    .all(siteId, JSON.stringify(visitorIds))
    .map((row) => ({
      visitorId: String(row.visitor_id),
      kind: row.kind as Join['kind'],
      key: String(row.key),
      source: row.source as Join['source'],
    }));
  return joins.filter(
    ({ visitorId, kind, key }) =>
      !isPlaceholderKey('visitor', visitorId) && !isPlaceholderKey(kind, key),
  );
}
