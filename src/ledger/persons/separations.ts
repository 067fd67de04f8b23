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

/** Reads from which keys visitors were separated. Returns the function that leaves them out of the keys of a fact. */
export async function readSeparations(
  sql: Sql,
  siteId: string,
  keys: readonly PersonKey[],
): Promise<(keys: PersonKey[]) => PersonKey[]> {
  const visitors = keys.filter(({ kind }) => kind === 'visitor').map(({ key }) => key);
  const rows = await sql.all(
    `SELECT visitor_id, kind, key FROM separations
     WHERE site_id = ? AND visitor_id IN (SELECT value FROM json_each(?))`,
    ...[siteId, JSON.stringify(visitors)],
  );
  if (rows.length === 0) return (all) => all;
  return (all) => {
    const visitor = all.find(({ kind }) => kind === 'visitor');
    const own = rows.filter((row) => row.visitor_id === visitor?.key);
    return all.filter((each) => !own.some((row) => row.kind === each.kind && row.key === each.key));
  };
}
