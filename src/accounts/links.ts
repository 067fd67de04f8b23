import { hash, randomBytes } from 'node:crypto';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { Role } from './person.ts';

/** What a one-time link lets its holder do: begin, set a new password, or become a member of a site. */
export type Link = {
  readonly kind: 'start' | 'reset' | 'invite';
  /** Whose it is; empty for a start. */
  readonly email?: string;
  readonly siteId?: string;
  readonly role?: Role;
  /** Whether the new password comes without the second factor that somebody lost. */
  readonly dropsSecondFactor?: boolean;
};

/** A link that is open, and what it is called: part of the hash of its token. */
export type OpenLink = Required<Link> & { readonly id: string; readonly expiresAt: number };

/** One-time links: only a hash of their token is stored. */
export interface Links {
  /** The token of a new link, which is valid for `lifetimeMs`. */
  make(link: Link, lifetimeMs: number): string;
  /** What a token stands for, if it is valid now. */
  find(kind: Link['kind'], token: string): OpenLink | undefined;
  /** All that are open, the one that ends first before the others. */
  list(kind: Link['kind']): readonly OpenLink[];
  /** Makes a token worthless; false when it was already. */
  spend(token: string): boolean;
  /** Makes a link worthless by its id; false when it was already. */
  withdraw(id: string): boolean;
  /** Makes all links of a kind worthless. */
  spendAll(kind: Link['kind']): void;
}

const TOKEN_BYTES = 32;
const ID_LENGTH = 16;
/** What stands in the place of a role. */
const WITHOUT_SECOND_FACTOR = 'without second factor';

/** The links on a connection to the file of people. */
export function createLinks(db: DatabaseSync, now: () => number): Links {
  const insert = db.prepare(`
    INSERT INTO links (sha256, kind, email, site_id, role, expires_at) VALUES (?, ?, ?, ?, ?, ?)`);
  const find = db.prepare('SELECT * FROM links WHERE sha256 = ? AND kind = ? AND expires_at > ?');
  const list = db.prepare(
    'SELECT * FROM links WHERE kind = ? AND expires_at > ? ORDER BY expires_at',
  );
  const remove = db.prepare('DELETE FROM links WHERE sha256 = ? AND expires_at > ?');
  const withdraw = db.prepare(`DELETE FROM links WHERE substr(sha256, 1, ${ID_LENGTH}) = ?`);
  const removeKind = db.prepare('DELETE FROM links WHERE kind = ?');
  const removeOld = db.prepare('DELETE FROM links WHERE expires_at <= ?');

  return {
    make(link, lifetimeMs) {
      removeOld.run(now());
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      const { kind, email = '', siteId = '', dropsSecondFactor = false } = link;
      const role = dropsSecondFactor ? WITHOUT_SECOND_FACTOR : (link.role ?? '');
      insert.run(hash('sha256', token), kind, email, siteId, role, now() + lifetimeMs);
      return token;
    },
    find(kind, token) {
      const row = find.get(hash('sha256', token), kind, now());
      return row && toOpenLink(row);
    },
    list: (kind) => list.all(kind, now()).map(toOpenLink),
    spend: (token) => remove.run(hash('sha256', token), now()).changes === 1,
    withdraw: (id) => withdraw.run(id).changes === 1,
    spendAll(kind) {
      removeKind.run(kind);
    },
  };
}

function toOpenLink(row: Record<string, SQLOutputValue>): OpenLink {
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
