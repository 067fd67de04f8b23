import type { DatabaseSync } from 'node:sqlite';
import type { Person } from '../person.ts';

/** A change that a person made. `about` names its object: a key's name, an e-mail address, setting names. */
export type Change = {
  /** Empty if the change belongs to no site. */
  readonly siteId: string;
  readonly what: string;
  readonly about: string;
};

/** A recorded change. `who` is the person's e-mail address at the time, because people may be removed. */
export type AuditEntry = Change & {
  readonly at: number;
  readonly userId: string;
  readonly who: string;
};

/** Who made a change. */
export type Who = Pick<Person, 'id' | 'email'>;

/** The changes made by commands name nobody. */
export const COMMAND_LINE: Who = { id: '', email: 'command line' };

/** The audit log. */
export interface Audit {
  /**
   * Records a change. Those that a person made to one site in an hour, of one kind, are listed up to a number and then
   * counted in one entry: nobody can push the changes of others off the list.
   */
  note(who: Who, change: Change): void;
  /**
   * Records a failed sign-in. Those of one login within an hour are one entry, which counts them, and so are all
   * those without a login: their addresses are not stored, and a stranger cannot fill the log.
   */
  noteFailure(email: string | undefined): void;
  /**
   * The changes of a site, newest first, including changes to the logins of its members; without a site, the
   * changes of the whole server.
   */
  list(siteId: string | undefined, limit: number): readonly AuditEntry[];
}

const HOUR_MS = 3_600_000;
const LISTED_MAX = 20;
const FAILURE = 'sign-in failed';
const STRANGER: Who = { id: '', email: 'an address without a login' };

/** Creates the audit log in the accounts database. */
export function createAudit(db: DatabaseSync, now: () => number): Audit {
  const insert = db.prepare(
    'INSERT INTO audit (at, site_id, user_id, who, what, about) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const list = db.prepare(`
    SELECT at, site_id AS siteId, user_id AS userId, who, what, about FROM audit
    WHERE ?1 IS NULL OR site_id = ?1 OR (site_id = '' AND user_id IN (
      SELECT "id" FROM "user" WHERE is_owner = 1 UNION SELECT user_id FROM members WHERE site_id = ?1
    )) ORDER BY at DESC, rowid DESC LIMIT ?2`);
  const find = db.prepare('SELECT "id", "email" FROM "user" WHERE "email" = ?');
  const ofKind = 'site_id = ? AND at > ? AND user_id = ? AND what = ?';
  const countListed = db.prepare(`SELECT count(*) AS n FROM audit WHERE ${ofKind}`);
  const countOn = db.prepare(`
    UPDATE audit SET about = (CAST(about AS INTEGER) + 1) || ' times' WHERE rowid = (
      SELECT rowid FROM audit WHERE ${ofKind} ORDER BY at DESC LIMIT 1)`);
  const add = ({ id, email }: Who, { siteId, what, about }: Change) => {
    insert.run(now(), siteId, id, email, what, about);
  };
  const count = (who: Who, siteId: string, what: string) => {
    const { changes } = countOn.run(siteId, now() - HOUR_MS, who.id, what);
    if (changes === 0) add(who, { siteId, what, about: '1 time' });
  };
  return {
    note(who, change) {
      const { siteId, what } = change;
      const listed = Number(countListed.get(siteId, now() - HOUR_MS, who.id, what)?.n);
      if (who.id === '' || listed < LISTED_MAX) add(who, change);
      else count(who, siteId, `${what}, and more`);
    },
    noteFailure(email) {
      const who = (find.get(email ?? '') as Who | undefined) ?? STRANGER;
      count(who, '', FAILURE);
    },
    list: (siteId, limit) => list.all(siteId ?? null, limit) as unknown as AuditEntry[],
  };
}
