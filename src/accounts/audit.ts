import type { AuditEntry, AuditedChange, Who } from '#domain/account/audit.ts';
import { HOUR_MS } from '#domain/time/durations.ts';
import type { Sql } from '#storage/sql/sql.ts';

const LISTED_MAX = 20;
const FAILURE = 'sign-in failed';
const STRANGER: Who = { id: '', email: 'an address without a login' };

const OF_KIND = 'site_id = ? AND at > ? AND user_id = ? AND what = ?';

/** Creates the audit log on a connection. Its writes run in the caller's transaction. */
export function createAudit(sql: Sql, now: () => number) {
  async function add({ id, email }: Who, { siteId, what, about }: AuditedChange): Promise<void> {
    await sql.run(
      'INSERT INTO audit (at, site_id, user_id, who, what, about) VALUES (?, ?, ?, ?, ?, ?)',
      ...[now(), siteId, id, email, what, about],
    );
  }

  async function count(who: Who, siteId: string, what: string): Promise<void> {
    const newest = `SELECT id, about FROM audit WHERE ${OF_KIND} ORDER BY at DESC, id DESC LIMIT 1`;
    const entry = await sql.get(newest, siteId, now() - HOUR_MS, who.id, what);
    if (entry === undefined) return add(who, { siteId, what, about: '1 time' });
    const about = `${Number.parseInt(String(entry.about), 10) + 1} times`;
    await sql.run('UPDATE audit SET about = ? WHERE id = ?', about, Number(entry.id));
  }

  return {
    async note(who: Who, change: AuditedChange): Promise<void> {
      const { siteId, what } = change;
      const sameKind = `SELECT count(*) AS n FROM audit WHERE ${OF_KIND}`;
      const row = await sql.get(sameKind, siteId, now() - HOUR_MS, who.id, what);
      if (who.id === '' || Number(row?.n) < LISTED_MAX) await add(who, change);
      else await count(who, siteId, `${what}, and more`);
    },
    async noteFailure(email: string | undefined): Promise<void> {
      const known = 'SELECT "id", "email" FROM "user" WHERE "email" = ?';
      const who = (await sql.get(known, email ?? '')) as Who | undefined;
      await count(who ?? STRANGER, '', FAILURE);
    },
    async list(siteId: string | undefined, limit: number): Promise<AuditEntry[]> {
      const rows = await sql.all(
        `SELECT at, site_id AS "siteId", user_id AS "userId", who, what, about FROM audit
         WHERE CAST(?1 AS TEXT) IS NULL OR site_id = ?1 OR (site_id = '' AND user_id IN (
           SELECT "id" FROM "user" WHERE is_owner = 1
           UNION SELECT user_id FROM members WHERE site_id = ?1
         )) ORDER BY at DESC, id DESC LIMIT ?2`,
        ...[siteId ?? null, limit],
      );
      return rows as unknown as AuditEntry[];
    },
  };
}
