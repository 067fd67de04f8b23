import type { DatabaseSync } from 'node:sqlite';
import type { Role } from './person.ts';

/** A member of a site. */
export type Member = {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  /** Whether the person owns the server, and so cannot be removed from a site. */
  readonly isOwner: boolean;
  readonly twoFactor: boolean;
};

/** The members of sites. Owners of the server are members of every site. */
export interface Members {
  findRole(userId: string, siteId: string): Role | undefined;
  /** The members of a site, including owners of the server, by name. */
  list(siteId: string): readonly Member[];
  /** Makes a person a member, or changes their role. */
  setRole(userId: string, siteId: string, role: Role): void;
  /** Removes a member, with their own saved items and mails. Returns false if they were not a member. */
  remove(userId: string, siteId: string): boolean;
}

/** Creates the members in the accounts database. */
export function createMembers(db: DatabaseSync, now: () => number): Members {
  const find = db.prepare(`
    SELECT iif(is_owner, 'owner', role) AS role
    FROM "user" LEFT JOIN members ON user_id = "id" AND site_id = ?2 WHERE "id" = ?1`);
  const list = db.prepare(`
    SELECT "id" AS userId, "name", "email", iif(is_owner, 'owner', role) AS role, is_owner,
      "twoFactorEnabled" AS two_factor
    FROM "user" LEFT JOIN members ON user_id = "id" AND site_id = ?
    WHERE is_owner = 1 OR role IS NOT NULL ORDER BY "name", "id"`);
  const save = db.prepare(`
    INSERT INTO members (user_id, site_id, role, created_at) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET role = excluded.role`);
  const remove = db.prepare('DELETE FROM members WHERE user_id = ? AND site_id = ?');
  const forget = db.prepare('DELETE FROM saved WHERE user_id = ? AND site_id = ?');
  const endMails = db.prepare('DELETE FROM subscriptions WHERE user_id = ? AND site_id = ?');
  return {
    findRole: (userId, siteId) => (find.get(userId, siteId)?.role as Role | null) ?? undefined,
    list: (siteId) =>
      list.all(siteId).map(({ is_owner, two_factor, ...member }) => ({
        ...(member as Pick<Member, 'userId' | 'name' | 'email' | 'role'>),
        ...{ isOwner: is_owner === 1, twoFactor: two_factor === 1 },
      })),
    setRole(userId, siteId, role) {
      save.run(userId, siteId, role, now());
    },
    remove(userId, siteId) {
      forget.run(userId, siteId);
      endMails.run(userId, siteId);
      return remove.run(userId, siteId).changes === 1;
    },
  };
}
