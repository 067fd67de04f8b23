import type { DatabaseSync } from 'node:sqlite';
import type { Person } from './person.ts';

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

/** The audit log. */
export interface Audit {
  note(person: Pick<Person, 'id' | 'email'>, change: Change): void;
  /** The changes of a site, newest first, including changes to the logins of its members. */
  list(siteId: string, limit: number): readonly AuditEntry[];
}

/** Creates the audit log in the accounts database. */
export function createAudit(db: DatabaseSync, now: () => number): Audit {
  const insert = db.prepare(
    'INSERT INTO audit (at, site_id, user_id, who, what, about) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const list = db.prepare(`
    SELECT at, site_id AS siteId, user_id AS userId, who, what, about FROM audit
    WHERE site_id = ?1 OR (site_id = '' AND user_id IN (
      SELECT "id" FROM "user" WHERE is_owner = 1 UNION SELECT user_id FROM members WHERE site_id = ?1
    )) ORDER BY at DESC, rowid DESC LIMIT ?2`);
  return {
    note({ id, email }, { siteId, what, about }) {
      insert.run(now(), siteId, id, email, what, about);
    },
    list: (siteId, limit) => list.all(siteId, limit) as unknown as AuditEntry[],
  };
}
