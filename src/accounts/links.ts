import { hash, randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Role } from './person.ts';

/** What a one-time link lets its holder do: begin, set a new password, or become a member of a site. */
export type Link = {
  readonly kind: 'start' | 'reset' | 'invite';
  /** Whose it is; empty for a start. */
  readonly email?: string;
  readonly siteId?: string;
  readonly role?: Role;
};

/** One-time links: only a hash of their token is stored. */
export interface Links {
  /** The token of a new link, which is valid for `lifetimeMs`. */
  make(link: Link, lifetimeMs: number): string;
  /** What a token stands for, if it is valid now. */
  find(kind: Link['kind'], token: string): Required<Link> | undefined;
  /** Makes a token worthless; false when it was already. */
  spend(token: string): boolean;
  /** Makes all links of a kind worthless. */
  spendAll(kind: Link['kind']): void;
}

const TOKEN_BYTES = 32;

/** The links on a connection to the file of people. */
export function createLinks(db: DatabaseSync, now: () => number): Links {
  const insert = db.prepare(`
    INSERT INTO links (sha256, kind, email, site_id, role, expires_at) VALUES (?, ?, ?, ?, ?, ?)`);
  const find = db.prepare('SELECT * FROM links WHERE sha256 = ? AND kind = ? AND expires_at > ?');
  const remove = db.prepare('DELETE FROM links WHERE sha256 = ?');
  const removeKind = db.prepare('DELETE FROM links WHERE kind = ?');
  const removeOld = db.prepare('DELETE FROM links WHERE expires_at <= ?');

  return {
    make(link, lifetimeMs) {
      removeOld.run(now());
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      const { kind, email = '', siteId = '', role = '' } = link;
      insert.run(hash('sha256', token), kind, email, siteId, role, now() + lifetimeMs);
      return token;
    },
    find(kind, token) {
      const row = find.get(hash('sha256', token), kind, now());
      if (row === undefined) return undefined;
      const { email, site_id: siteId, role } = row;
      return { kind, email: `${email}`, siteId: `${siteId}`, role: `${role}` as Role };
    },
    spend: (token) => remove.run(hash('sha256', token)).changes === 1,
    spendAll(kind) {
      removeKind.run(kind);
    },
  };
}
