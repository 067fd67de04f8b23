import type { Role } from '#domain/site/role.ts';
import type { Sql } from '#storage/sql/sql.ts';

/** A member of a site. */
export type Member = {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  /** Whether the user owns the server, and so cannot be removed from a site. */
  readonly isOwner: boolean;
  readonly twoFactor: boolean;
};

/** The members of sites. Owners of the server are members of every site. */
export interface Members {
  findRole(userId: string, siteId: string): Promise<Role | undefined>;
  /** The members of a site, including owners of the server, by name. */
  list(siteId: string): Promise<readonly Member[]>;
  /** Makes a user a member, or changes their role. */
  setRole(userId: string, siteId: string, role: Role): Promise<void>;
  /** Removes a member, with their own saved items and mails. Returns false if they were not a member. */
  remove(userId: string, siteId: string): Promise<boolean>;
}

const ROLE = "CASE WHEN is_owner = 1 THEN 'owner' ELSE role END AS role";

/** Creates the members on a connection. Its writes run in the caller's transaction. */
export function createMembers(sql: Sql, now: () => number): Members {
  return {
    async findRole(userId, siteId) {
      const row = await sql.get(
        `SELECT ${ROLE} FROM "user" LEFT JOIN members ON user_id = "id" AND site_id = ? WHERE "id" = ?`,
        ...[siteId, userId],
      );
      return (row?.role as Role | null) ?? undefined;
    },
    async list(siteId) {
      const rows = await sql.all(
        `SELECT "id" AS "userId", "name", "email", ${ROLE}, is_owner, "twoFactorEnabled" AS two_factor
         FROM "user" LEFT JOIN members ON user_id = "id" AND site_id = ?
         WHERE is_owner = 1 OR role IS NOT NULL ORDER BY "name", "id"`,
        siteId,
      );
      return rows.map(({ is_owner, two_factor, ...member }) => ({
        ...(member as Pick<Member, 'userId' | 'name' | 'email' | 'role'>),
        ...{ isOwner: is_owner === 1, twoFactor: two_factor === 1 },
      }));
    },
    async setRole(userId, siteId, role) {
      await sql.run(
        `INSERT INTO members (user_id, site_id, role, created_at) VALUES (?, ?, ?, ?)
         ON CONFLICT (user_id, site_id) DO UPDATE SET role = excluded.role`,
        ...[userId, siteId, role, now()],
      );
    },
    async remove(userId, siteId) {
      const own = 'WHERE user_id = ? AND site_id = ?';
      await sql.run(`DELETE FROM saved ${own}`, userId, siteId);
      await sql.run(`DELETE FROM subscriptions ${own}`, userId, siteId);
      return (await sql.run(`DELETE FROM members ${own}`, userId, siteId)) === 1;
    },
  };
}
