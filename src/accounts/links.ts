import { hash, randomBytes } from 'node:crypto';
import type { Role } from '#domain/site/role.ts';
import type { Sql, SqlRow } from '#storage/sql/sql.ts';

/** A one-time link: it creates the owner's login, sets a new password, or makes its holder a member. */
export type Link = {
  readonly kind: 'start' | 'reset' | 'invite';
  /** The user's e-mail address; empty for a start. */
  readonly email?: string;
  readonly siteId?: string;
  readonly role?: Role;
  /** Whether the new password also turns off two-factor authentication. */
  readonly dropsSecondFactor?: boolean;
};

/** An open link. Its id is part of the hash of its token. */
type OpenLink = Required<Link> & { readonly id: string; readonly expiresAt: number };

const TOKEN_BYTES = 32;
const ID_LENGTH = 16;
/** The value of the column `role` for reset links that drop the second factor. */
const WITHOUT_SECOND_FACTOR = 'without second factor';

/** Creates the one-time links on a connection, of which only a hash of each token is stored. Its writes run in the caller's transaction. */
export function createLinks(sql: Sql, now: () => number) {
  return {
    /** Creates a link that is valid for `lifetimeMs`, and returns its token, which is random unless given. */
    async make(link: Link, lifetimeMs: number, token = newToken()): Promise<string> {
      await sql.run('DELETE FROM links WHERE expires_at <= ?', now());
      const { kind, email = '', siteId = '', dropsSecondFactor = false } = link;
      const role = dropsSecondFactor ? WITHOUT_SECOND_FACTOR : (link.role ?? '');
      await sql.run(
        `INSERT INTO links (sha256, kind, email, site_id, role, expires_at)
         VALUES (?, ?, ?, ?, ?, ?)`,
        ...[hash('sha256', token), kind, email, siteId, role, now() + lifetimeMs],
      );
      return token;
    },
    /** The link of a token, if it is still valid. */
    async find(kind: Link['kind'], token: string): Promise<OpenLink | undefined> {
      const open = 'SELECT * FROM links WHERE sha256 = ? AND kind = ? AND expires_at > ?';
      const row = await sql.get(open, hash('sha256', token), kind, now());
      return row && toOpenLink(row);
    },
    /** All open links, the first to expire first. */
    async list(kind: Link['kind']): Promise<OpenLink[]> {
      const open = 'SELECT * FROM links WHERE kind = ? AND expires_at > ? ORDER BY expires_at';
      return (await sql.all(open, kind, now())).map(toOpenLink);
    },
    /** Uses up or withdraws a link by its id. Returns false if somebody else has. */
    async spend(id: string): Promise<boolean> {
      const spent = `DELETE FROM links WHERE substr(sha256, 1, ${ID_LENGTH}) = ?`;
      return (await sql.run(spent, id)) === 1;
    },
    async spendAll(kind: Link['kind']): Promise<void> {
      await sql.run('DELETE FROM links WHERE kind = ?', kind);
    },
  };
}

/** A token that nobody can guess. */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

function toOpenLink(row: SqlRow): OpenLink {
  return {
    id: String(row.sha256).slice(0, ID_LENGTH),
    kind: row.kind as Link['kind'],
    email: String(row.email),
    siteId: String(row.site_id),
    role: row.role as Role,
    dropsSecondFactor: row.role === WITHOUT_SECOND_FACTOR,
    expiresAt: Number(row.expires_at),
  };
}
