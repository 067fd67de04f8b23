import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { ok, type Result, refuse } from '#domain/result.ts';
import { findPasswordFault, type Refusal } from './login-form.ts';
import { hashPassword, verifyPassword } from './password.ts';

/** What a link shows to whoever has it. */
export type SharedView = {
  /** What it is called among the site's links; visitors do not see it. */
  readonly name: string;
  readonly panels: readonly string[];
  readonly hasRevenue: boolean;
  /** Conditions of the query API that hold for everything that it shows. */
  readonly filters: readonly (readonly unknown[])[];
};

/** A link that shows a part of a site to people without a login. */
export type Share = SharedView & {
  readonly id: string;
  readonly siteId: string;
  /** What stands in its address. */
  readonly token: string;
  /** What is stored of its password; empty when it has none. */
  readonly passwordHash: string;
  readonly createdAt: number;
  /** The address of who made it. */
  readonly createdBy: string;
  readonly lastUsedAt: number | undefined;
};

/** A link that is wanted. An empty password is none. */
export type NewShare = SharedView & Pick<Share, 'siteId' | 'createdBy'> & { password: string };

/** The links that show a part of a site. */
export interface Shares {
  make(share: NewShare): Promise<Result<Share, Refusal>>;
  /** Those of a site, the oldest first. */
  list(siteId: string): readonly Share[];
  /** Takes a link back; false when the site has none of this id. */
  remove(siteId: string, id: string): boolean;
  /** The link of a credential, which is its token or what {@link Shares.open} made; and whether that opens it. */
  find(credential: string): { readonly share: Share; readonly isOpen: boolean } | undefined;
  /** The credential of whoever knows the link's password, for some hours; nothing for a wrong one. */
  open(
    share: Share,
    password: string,
  ): Promise<{ credential: string; expiresAt: number } | undefined>;
  /** Notes that a link was used, to the minute. */
  noteUse(share: Share): void;
}

/** How long a password is not asked for again. */
export const OPEN_LIFETIME_MS = 12 * 3_600_000;

const TOKEN_BYTES = 24;
const ID_BYTES = 8;
const NOTED_EVERY_MS = 60_000;

/**
 * The links on a connection to the file of people.
 *
 * - Why the token itself is stored: people copy a link again from the list. The file has the secret that
 *   signs sessions, so a hash would keep nothing from somebody who can read it.
 * - A credential behind a password is `TOKEN.EXPIRY.SIGNATURE`. The hash of the password is part of what
 *   is signed.
 */
export function createShares(
  db: DatabaseSync,
  { secret, now }: { readonly secret: string; readonly now: () => number },
): Shares {
  const insert = db.prepare(`
    INSERT INTO shares
      (id, site_id, name, token, password, panels, has_revenue, filters, created_at, created_by)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const list = db.prepare('SELECT * FROM shares WHERE site_id = ? ORDER BY created_at, id');
  const find = db.prepare('SELECT * FROM shares WHERE token = ?');
  const remove = db.prepare('DELETE FROM shares WHERE site_id = ? AND id = ?');
  const use = db.prepare('UPDATE shares SET last_used_at = ? WHERE id = ?');

  function sign({ id, passwordHash }: Share, expiry: string): string {
    const text = `share ${id} ${expiry} ${passwordHash}`;
    return createHmac('sha256', secret).update(text).digest('base64url');
  }

  return {
    async make({ password, ...wanted }) {
      const fault = password === '' ? undefined : findPasswordFault(password);
      if (fault !== undefined) return refuse(fault);
      const share: Share = {
        ...wanted,
        id: `share_${randomBytes(ID_BYTES).toString('hex')}`,
        token: randomBytes(TOKEN_BYTES).toString('base64url'),
        passwordHash: password === '' ? '' : await hashPassword(password),
        createdAt: now(),
        lastUsedAt: undefined,
      };
      insert.run(
        ...[share.id, share.siteId, share.name, share.token, share.passwordHash],
        ...[JSON.stringify(share.panels), share.hasRevenue ? 1 : 0, JSON.stringify(share.filters)],
        ...[share.createdAt, share.createdBy],
      );
      return ok(share);
    },
    list: (siteId) => list.all(siteId).map(toShare),
    remove: (siteId, id) => remove.run(siteId, id).changes === 1,
    find(credential) {
      const [token = '', expiry = '', signature = ''] = credential.split('.');
      const row = find.get(token);
      if (row === undefined) return undefined;
      const share = toShare(row);
      const isGranted = Number(expiry) > now() && isEqual(signature, sign(share, expiry));
      return { share, isOpen: share.passwordHash === '' || isGranted };
    },
    async open(share, password) {
      if (!(await verifyPassword(password, share.passwordHash))) return undefined;
      const expiresAt = now() + OPEN_LIFETIME_MS;
      const credential = `${share.token}.${expiresAt}.${sign(share, String(expiresAt))}`;
      return { credential, expiresAt };
    },
    noteUse({ id, lastUsedAt = 0 }) {
      if (now() - lastUsedAt >= NOTED_EVERY_MS) use.run(now(), id);
    },
  };
}

function isEqual(sent: string, expected: string): boolean {
  const [one, other] = [Buffer.from(sent), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function toShare(row: Record<string, SQLOutputValue>): Share {
  return {
    id: String(row.id),
    siteId: String(row.site_id),
    name: String(row.name),
    token: String(row.token),
    passwordHash: String(row.password),
    panels: JSON.parse(String(row.panels)),
    hasRevenue: row.has_revenue === 1,
    filters: JSON.parse(String(row.filters)),
    createdAt: Number(row.created_at),
    createdBy: String(row.created_by),
    lastUsedAt: row.last_used_at === null ? undefined : Number(row.last_used_at),
  };
}
