import type { DatabaseSync } from 'node:sqlite';
import type { Person } from './person.ts';

/** What somebody changed, and when. `about` says of what: a key's id, an address, the names of settings. */
export type Change = {
  /** Empty for what is of no site. */
  readonly siteId: string;
  readonly what: string;
  readonly about: string;
};

/** A change on record. `who` is their address then: people may go. */
export type AuditEntry = Change & {
  readonly at: number;
  readonly userId: string;
  readonly who: string;
};

/** Who changed what. */
export interface Audit {
  note(person: Pick<Person, 'id' | 'email'>, change: Change): void;
  /** The newest first; what was done to the logins of the site's people is among them. */
  list(siteId: string, limit: number): readonly AuditEntry[];
}

/** The changes on a connection to the file of people. */
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
