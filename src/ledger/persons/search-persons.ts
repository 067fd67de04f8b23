import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PersonSearch } from '#domain/identity/person.ts';
import type { Sql } from '#storage/sql/sql.ts';

/** Rows searched before yielding, so that requests do not wait. */
const ROWS_AT_ONCE = 2_000;

/** Sorts after every text. */
const LAST_TEXT = '\u{10ffff}';

/**
 * Creates the search on a ledger connection. It ignores the case of ASCII letters.
 *
 * - Why no full-text index: every payment would pay for it, and searches are rare.
 */
export function createSearchPersons(sql: Sql) {
  async function searchKeys({ siteId, text }: PersonSearch, kind: string, found: Set<string>) {
    for (let after = ''; after !== LAST_TEXT; await nextTurn()) {
      const next = await sql.get(NEXT_KEYS, text, siteId, kind, after);
      const isLast = Number(next?.keys) < ROWS_AT_ONCE;
      const end = isLast ? LAST_TEXT : String(next?.last);
      const rows =
        Number(next?.hits) > 0 ? await sql.all(KEYS_WITH, siteId, kind, after, end, text) : [];
      for (const row of rows) found.add(String(row.person_id));
      after = end;
    }
  }

  async function searchNames({ siteId, text }: PersonSearch, found: Set<string>) {
    const newest = await sql.get('SELECT coalesce(max(id), 0) AS id FROM payments');
    for (let after = 0; after < Number(newest?.id); await nextTurn()) {
      const end = after + ROWS_AT_ONCE;
      for (const row of await sql.all(PAID_BY, after, end, siteId, text)) {
        if (row.person_id !== null) found.add(String(row.person_id));
      }
      after = end;
    }
  }

  return async (search: PersonSearch): Promise<readonly string[]> => {
    const found = new Set<string>();
    const kinds = ['visitor', 'user', 'customer', ...(search.isPersonal ? ['email'] : [])];
    for (const kind of kinds) await searchKeys(search, kind, found);
    if (search.isPersonal) await searchNames(search, found);
    return [...found];
  };
}

/** The next keys in one pass: few of them match, and only those are read. */
const NEXT_KEYS = `
  SELECT count(*) AS keys, max(key) AS last,
    coalesce(sum(CASE WHEN instr(lower(key), lower(?)) > 0 THEN 1 ELSE 0 END), 0) AS hits
  FROM (SELECT key FROM person_keys WHERE site_id = ? AND kind = ? AND key > ?
    ORDER BY key LIMIT ${ROWS_AT_ONCE}) AS next_keys`;
const KEYS_WITH = `
  SELECT DISTINCT coalesce(people.visitor_id, '~' || people.person) AS person_id
  FROM person_keys JOIN people USING (person)
  WHERE person_keys.site_id = ?1 AND kind = ?2 AND key > ?3 AND key <= ?4
    AND instr(lower(key), lower(?5)) > 0`;
/** By ids alone: an index of the site would read all of its payments for each stretch. */
const PAID_BY = `
  SELECT DISTINCT coalesce(persons.person_id, payments.visitor_id) AS person_id
  FROM payments LEFT JOIN persons ON persons.site_id = payments.site_id
    AND persons.kind = CASE WHEN payments.visitor_id IS NULL THEN 'transaction' ELSE 'visitor' END
    AND persons.key = coalesce(payments.visitor_id, payments.transaction_id)
  WHERE payments.id > ?1 AND payments.id <= ?2 AND payments.site_id || '' = ?3
    AND instr(lower(payments.name), lower(?4)) > 0`;
