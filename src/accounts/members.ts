import type { Member } from '#domain/account/member.ts';
import type { Role } from '#domain/site/role.ts';
import type { Sql } from '#storage/sql/sql.ts';

const ROLE = "CASE WHEN is_owner = 1 THEN 'owner' ELSE role END AS role";

/** Creates the members on a connection. Its writes run in the caller's transaction. */
export function createMembers(sql: Sql, now: () => number) {
  return {
    async findRole(userId: string, siteId: string): Promise<Role | undefined> {
      const row = await sql.get(
        `SELECT ${ROLE} FROM "user" LEFT JOIN members ON user_id = "id" AND site_id = ? WHERE "id" = ?`,
        ...[siteId, userId],
      );
      return (row?.role as Role | null) ?? undefined;
    },
    async list(siteId: string): Promise<Member[]> {
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
    async setRole(userId: string, siteId: string, role: Role): Promise<void> {
      await sql.run(
        `INSERT INTO members (user_id, site_id, role, created_at) VALUES (?, ?, ?, ?)
         ON CONFLICT (user_id, site_id) DO UPDATE SET role = excluded.role`,
        ...[userId, siteId, role, now()],
      );
    },
    async remove(userId: string, siteId: string): Promise<boolean> {
      const own = 'WHERE user_id = ? AND site_id = ?';
      await sql.run(`DELETE FROM saved ${own}`, userId, siteId);
      await sql.run(`DELETE FROM subscriptions ${own}`, userId, siteId);
      return (await sql.run(`DELETE FROM members ${own}`, userId, siteId)) === 1;
    },
  };
}
