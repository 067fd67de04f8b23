import { HOUR_MS } from '#domain/time/durations.ts';
import type { Sql } from '#storage/sql/sql.ts';

/** A change that a user made. `about` names its object: a key's name, an e-mail address, setting names. */
export type Change = {
  /** Empty if the change belongs to no site. */
  readonly siteId: string;
  readonly what: string;
  readonly about: string;
};

/** A recorded change. `who` is the user's e-mail address at the time, because people may be removed. */
export type AuditEntry = Change & {
  readonly at: number;
  readonly userId: string;
  readonly who: string;
};

/** Who made a change. */
export type Who = { readonly id: string; readonly email: string };

/** The changes made by commands name nobody. */
export const COMMAND_LINE: Who = { id: '', email: 'command line' };

/** The audit log. */
export interface Audit {
  /**
   * Records a change. Those that a user made to one site in an hour, of one kind, are listed up to a number and then
   * counted in one entry: nobody can push the changes of others off the list.
   */
  note(who: Who, change: Change): Promise<void>;
  /**
   * Records a failed sign-in. Those of one login within an hour are one entry, which counts them, and so are all
   * those without a login: their addresses are not stored, and a stranger cannot fill the log.
   */
  noteFailure(email: string | undefined): Promise<void>;
  /**
   * The changes of a site, newest first, including changes to the logins of its members; without a site, the
   * changes of the whole server.
   */
  list(siteId: string | undefined, limit: number): Promise<readonly AuditEntry[]>;
}

const LISTED_MAX = 20;
const FAILURE = 'sign-in failed';
const STRANGER: Who = { id: '', email: 'an address without a login' };

const OF_KIND = 'site_id = ? AND at > ? AND user_id = ? AND what = ?';

/** Creates the audit log on a connection. Its writes run in the caller's transaction. */
export function createAudit(sql: Sql, now: () => number): Audit {
  async function add({ id, email }: Who, { siteId, what, about }: Change): Promise<void> {
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
    async note(who, change) {
      const { siteId, what } = change;
      const sameKind = `SELECT count(*) AS n FROM audit WHERE ${OF_KIND}`;
      const row = await sql.get(sameKind, siteId, now() - HOUR_MS, who.id, what);
      if (who.id === '' || Number(row?.n) < LISTED_MAX) await add(who, change);
      else await count(who, siteId, `${what}, and more`);
    },
    async noteFailure(email) {
      const known = 'SELECT "id", "email" FROM "user" WHERE "email" = ?';
      const who = (await sql.get(known, email ?? '')) as Who | undefined;
      await count(who ?? STRANGER, '', FAILURE);
    },
    async list(siteId, limit) {
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
