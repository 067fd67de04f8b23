import type { PersonKey } from '#domain/identity/person.ts';
import type { Sql } from '#storage/sql/sql.ts';

/** Prevents these keys from joining the visitor from now on. */
export async function separate(
  sql: Sql,
  siteId: string,
  visitorId: string,
  { keys, at }: { readonly keys: readonly PersonKey[]; readonly at: number },
): Promise<void> {
  await sql.insert({
    into: 'separations',
    columns: ['site_id', 'visitor_id', 'kind', 'key', 'separated_at'],
    rows: keys.map(({ kind, key }) => [siteId, visitorId, kind, key, at]),
    end: 'ON CONFLICT DO NOTHING',
  });
}

/** The keys of a fact without those that its visitor was separated from. */
export async function withoutSeparated(
  sql: Sql,
  siteId: string,
  keys: PersonKey[],
): Promise<PersonKey[]> {
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
}
