import type { Sql } from '#storage/sql/sql.ts';
import type { PersonKey } from './person-book.ts';

/** Undone joins. */
export interface Separations {
  /** Prevents these keys from joining the visitor from now on. */
  add(siteId: string, visitorId: string, keys: readonly PersonKey[], at: number): Promise<void>;
  /** Removes the keys that the fact's visitor was separated from. */
  leaveOut(siteId: string, keys: PersonKey[]): Promise<PersonKey[]>;
}

/** Creates the separations for a transaction. */
export function createSeparations(sql: Sql): Separations {
  return {
    async add(siteId, visitorId, keys, at) {
      await sql.insert({
        into: 'separations',
        columns: ['site_id', 'visitor_id', 'kind', 'key', 'separated_at'],
        rows: keys.map(({ kind, key }) => [siteId, visitorId, kind, key, at]),
        end: 'ON CONFLICT DO NOTHING',
      });
    },
    async leaveOut(siteId, keys) {
      const visitor = keys.find(({ kind }) => kind === 'visitor');
      if (visitor === undefined) return keys;
      const separated = await sql.all(
        'SELECT kind, key FROM separations WHERE site_id = ? AND visitor_id = ?',
        ...[siteId, visitor.key],
      );
      if (separated.length === 0) return keys;
      return keys.filter(
        (each) => !separated.some((row) => row.kind === each.kind && row.key === each.key),
      );
    },
  };
}
